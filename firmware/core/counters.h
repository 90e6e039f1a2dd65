/* What went wrong since the reset. Counters wrap; the Pi takes differences. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

struct counters {
    uint16_t tx_dropped;
    uint16_t rx_bad;
    uint16_t timeouts;
    uint16_t saturations;
    uint16_t desyncs;
    uint16_t late;
    uint16_t worst_loop_us; /* since the last STATUS */
};

extern struct counters counters;

#endif
