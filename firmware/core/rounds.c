#include "rounds.h"

#include "chips.h"
#include "module.h"

static struct round gathering;
static uint8_t taken; /* channels read in this round, valid or not */

static void open_round(uint32_t t_us)
{
    gathering.t_us = t_us;
    gathering.mask = gathering.flags = taken = 0;
}

void rounds_init(void)
{
    open_round(0);
}

static void close_round(void)
{
    if (gathering.mask || gathering.flags)
        module_round(&gathering);
    open_round(0);
}

static void take(uint8_t channel, uint32_t now_us)
{
    uint8_t bit = (uint8_t)(1u << channel);
    if (taken & bit)
        close_round();
    if (!taken)
        open_round(now_us);
    struct reading reading = chips_read(channel, now_us);
    taken |= bit;
    gathering.flags |= reading.flags;
    gathering.counts[channel] = reading.counts;
    if (reading.valid)
        gathering.mask |= bit;
}

static void say_timeout(uint32_t now_us)
{
    if (!taken)
        open_round(now_us);
    gathering.flags |= TIMEOUT;
    close_round();
}

void rounds_pass(uint32_t now_us)
{
    uint8_t ready = chips_ready(now_us);
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (ready & 1u << channel)
            take(channel, now_us);
    if (chips_tend(now_us))
        say_timeout(now_us);
    else if (taken && !(chips_alive() & (uint8_t)~taken))
        close_round();
}
