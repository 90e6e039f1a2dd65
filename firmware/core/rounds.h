/* Readings of several chips, each on its own oscillator, gathered into rounds. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

struct round {
    uint32_t t_us; /* when the first of its chips was seen ready */
    uint8_t mask; /* channels with a valid reading */
    uint8_t flags;
    int32_t counts[CHANNELS];
};

void rounds_init(void);

/* Reads what is ready, tends the chips and hands each round that closes to module_round. */
void rounds_pass(uint32_t now_us);

#endif
