#include "chips.h"

#include <string.h>

#include "counters.h"
#include "hal.h"

#define PULSES_FOR_GAIN_128 1 /* after the 24 of the data */
#define PULSES_FOR_GAIN_64 3
#define COUNTS_MAX INT32_C(0x7FFFFF)
#define COUNTS_MIN (-INT32_C(0x800000))

#define SETTLE_CONVERSIONS 4
#define POWER_DOWN_US 100ul     /* the chip asks for 60 */
#define PATIENCE_US 250000ul    /* more than two conversions of a slow chip at 10 a second */
#define UP_PATIENCE_US 600000ul /* and its 400 ms to settle */
#define LOOK_GAP_MAX_US 6000ul  /* less than a conversion of the fastest chip: what is ready cannot be about to change */

struct chip {
    uint32_t heard_us; /* last reading, power-up or timeout */
    uint32_t patience_us;
    uint8_t settling; /* conversions to go */
    uint8_t faults;
};

static struct chip chips[CHANNELS];
static uint8_t told_to_expect, answered, silent;
static uint8_t down;       /* clock lines held high */
static uint8_t unreleased; /* powered up, and the data line has not been high since */
static uint32_t down_us, looked_us;
static uint8_t late;
static uint8_t gain, rate;

static void begin_settling(uint8_t channel, uint32_t now_us)
{
    chips[channel].heard_us = now_us;
    chips[channel].patience_us = UP_PATIENCE_US;
    chips[channel].settling = SETTLE_CONVERSIONS;
}

static void begin_settling_all(void)
{
    uint32_t now_us = hal_micros();
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        begin_settling(channel, now_us);
}

static void power_down(uint8_t channels, uint32_t now_us)
{
    hal_hold(channels, true);
    down |= channels;
    down_us = now_us;
}

static void power_up(uint32_t now_us)
{
    hal_hold(down, false);
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (down & 1u << channel)
            begin_settling(channel, now_us);
    unreleased |= down;
    down = 0;
}

void chips_init(uint8_t expected)
{
    memset(chips, 0, sizeof chips);
    told_to_expect = expected;
    answered = silent = down = unreleased = late = 0;
    gain = 128;
    rate = 80;
    hal_rate(true);
    looked_us = hal_micros();
    power_down(ALL_CHANNELS, looked_us);
}

void chips_expect(uint8_t channels)
{
    told_to_expect = channels;
    silent &= chips_expected();
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        chips[channel].heard_us = hal_micros();
}

uint8_t chips_expected(void)
{
    return told_to_expect ? told_to_expect : answered;
}

uint8_t chips_alive(void)
{
    return answered & chips_expected() & (uint8_t)~silent;
}

uint8_t chips_ready(uint32_t now_us)
{
    uint8_t high = hal_data_lines();
    unreleased &= (uint8_t)~high;
    uint8_t ready = ALL_CHANNELS & (uint8_t)~(high | down | unreleased);
    late = now_us - looked_us > LOOK_GAP_MAX_US ? ready : 0;
    looked_us = now_us;
    return ready;
}

static uint8_t clock_byte(uint8_t channel_bit)
{
    uint8_t byte = 0;
    for (uint8_t i = 0; i < 8; i++) {
        byte = (uint8_t)(byte << 1);
        if (hal_pulse(channel_bit) & channel_bit)
            byte |= 1;
    }
    return byte;
}

static int32_t clock_counts(uint8_t channel_bit)
{
    uint8_t high = clock_byte(channel_bit), middle = clock_byte(channel_bit), low = clock_byte(channel_bit);
    return (int8_t)high * INT32_C(0x10000) + (int32_t)((uint32_t)middle << 8 | low);
}

/* True when the data line is high after the last pulse, as it must be. */
static bool clock_gain(uint8_t channel_bit)
{
    for (uint8_t pulses = gain == 128 ? PULSES_FOR_GAIN_128 : PULSES_FOR_GAIN_64; pulses; pulses--)
        hal_pulse(channel_bit);
    return hal_data_lines() & channel_bit;
}

static void note_answer(uint8_t channel, uint32_t now_us)
{
    answered |= (uint8_t)(1u << channel);
    silent &= (uint8_t)~(1u << channel);
    chips[channel].heard_us = now_us;
    chips[channel].patience_us = PATIENCE_US;
}

static uint8_t flags_of(struct chip *chip, int32_t counts)
{
    uint8_t flags = 0;
    if (chip->settling) {
        flags |= SETTLING;
        if (--chip->settling)
            chip->patience_us = UP_PATIENCE_US;
    }
    if (counts == COUNTS_MAX || counts == COUNTS_MIN) {
        counters.saturations++;
        chip->faults |= SATURATED;
        flags |= SATURATED;
    }
    return flags;
}

struct reading chips_read(uint8_t channel, uint32_t now_us)
{
    struct chip *chip = &chips[channel];
    uint8_t bit = (uint8_t)(1u << channel);
    struct reading reading = {.counts = clock_counts(bit), .flags = 0, .valid = false};
    if (!clock_gain(bit)) {
        counters.desyncs++;
        chip->faults |= DESYNC;
        reading.flags = DESYNC;
        power_down(bit, now_us);
    } else if (late & bit) {
        counters.late++;
        note_answer(channel, now_us);
    } else {
        note_answer(channel, now_us);
        reading.valid = true;
        reading.flags = flags_of(chip, reading.counts);
    }
    return reading;
}

static uint8_t overdue(uint32_t now_us)
{
    uint8_t channels = 0;
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (now_us - chips[channel].heard_us > chips[channel].patience_us)
            channels |= (uint8_t)(1u << channel);
    return channels & chips_expected() & (uint8_t)~down;
}

uint8_t chips_tend(uint32_t now_us)
{
    if (down && now_us - down_us >= POWER_DOWN_US)
        power_up(now_us);
    uint8_t channels = overdue(now_us);
    if (!channels)
        return 0;
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        if (channels & 1u << channel) {
            counters.timeouts++;
            chips[channel].faults |= TIMEOUT;
        }
    }
    silent |= channels;
    power_down(channels, now_us);
    return channels;
}

void chips_set_rate(uint8_t sps)
{
    if (sps == rate)
        return;
    rate = sps;
    hal_rate(sps == 80);
    begin_settling_all();
}

uint8_t chips_rate(void)
{
    return rate;
}

void chips_set_gain(uint8_t new_gain)
{
    if (new_gain == gain)
        return;
    gain = new_gain;
    begin_settling_all();
}

uint8_t chips_gain(void)
{
    return gain;
}

uint8_t chips_faults(uint8_t channel)
{
    return chips[channel].faults;
}

void chips_clear_faults(void)
{
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        chips[channel].faults = 0;
}
