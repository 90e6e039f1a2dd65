/* hal.h on a computer: time, chips, line and store are variables that a test sets and looks at. */
#ifndef HAL_HOST_H
#define HAL_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define HOST_SENT_MAX 65536u
#define HOST_STORE_BYTES 64u

struct host_chip {
    int32_t counts;
    uint8_t pulses; /* of the reading that is going on */
    uint8_t extra;  /* pulses after the data in the last whole reading: 1 for gain 128, 3 for gain 64 */
    bool ready, fitted, held, stuck_low;
    uint32_t power_downs;
};

struct host {
    uint32_t now_us;
    bool fast;
    uint8_t room; /* what hal_send_room says */
    uint32_t sent_n;
    uint8_t store[HOST_STORE_BYTES];
    uint32_t stored; /* bytes written */
    bool store_busy;
    struct host_chip chips[CHANNELS];
    uint8_t sent[HOST_SENT_MAX]; /* the oldest bytes are forgotten when it is full */
};

extern struct host host;

/* A new module on the bench: all chips fitted, nothing stored. It is not started. */
void host_init(void);

/* A conversion of this chip is done. */
void host_convert(uint8_t channel, int32_t counts);

#endif
