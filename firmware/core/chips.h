/* The HX711s: reading, settling, and getting a chip that is silent or out of step back. */
#ifndef CHIPS_H
#define CHIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct reading {
    int32_t counts;
    uint8_t flags;
    bool valid;
};

/* Powers all chips down; chips_tend powers them up again. `expected` as for chips_expect. */
void chips_init(uint8_t expected);

/* Which channels should answer; 0: those that have answered since the reset. */
void chips_expect(uint8_t channels);
uint8_t chips_expected(void);

/* The expected channels that do answer. */
uint8_t chips_alive(void);

/* Looks at the data lines. Returns the channels that have a conversion to read. */
uint8_t chips_ready(uint32_t now_us);

/* Reads a channel that chips_ready has just named. */
struct reading chips_read(uint8_t channel, uint32_t now_us);

/* Powers up what was powered down, and power-cycles what has been silent too long: returns those channels. */
uint8_t chips_tend(uint32_t now_us);

/* 10 or 80, and 128 or 64. */
void chips_set_rate(uint8_t sps);
uint8_t chips_rate(void);
void chips_set_gain(uint8_t gain);
uint8_t chips_gain(void);

/* The TIMEOUT, SATURATED and DESYNC flags a channel has had since they were cleared. */
uint8_t chips_faults(uint8_t channel);
void chips_clear_faults(void);

#endif
