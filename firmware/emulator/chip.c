#include "chip.h"

#include <math.h>
#include <string.h>

#define FAST_PERIOD_US (1e6 / 80)
#define SLOW_PERIOD_US (1e6 / 10)
#define POWER_DOWN_US 60.0
#define WINDOW_US 10.0 /* before new data: the line is high and the register changes */
#define SETTLE_CONVERSIONS 4
#define DATA_BITS 24

static double period_us(const struct chip *chip)
{
    return (chip->fast ? FAST_PERIOD_US : SLOW_PERIOD_US) / chip->oscillator;
}

static bool level(const struct chip *chip)
{
    if (chip->dead || !chip->powered)
        return true;
    if (chip->stuck)
        return false;
    if (chip->down || chip->updating)
        return true;
    if (chip->pulses == 0)
        return !chip->pending;
    if (chip->pulses > DATA_BITS)
        return true;
    return chip->held >> (DATA_BITS - chip->pulses) & 1;
}

void chip_refresh(struct chip *chip)
{
    chip->wires->data(chip->number, level(chip));
}

static void begin_conversions(struct chip *chip, double t_us)
{
    chip->updating = chip->pending = false;
    chip->pulses = 0;
    chip->settling = SETTLE_CONVERSIONS;
    chip->converted_us = t_us;
    chip_rearm(chip);
    chip_refresh(chip);
}

void chip_init(struct chip *chip, int number, const struct chip_wires *wires, FILE *truth)
{
    memset(chip, 0, sizeof *chip);
    chip->number = number;
    chip->wires = wires;
    chip->truth = truth;
    chip->oscillator = 1.0;
}

void chip_power(struct chip *chip, bool on, double t_us)
{
    chip->powered = on;
    chip->down = false;
    chip->gain = GAIN_128;
    begin_conversions(chip, t_us);
}

void chip_rearm(struct chip *chip)
{
    double next_us = chip->converted_us + period_us(chip);
    chip->wires->wake(chip->number, chip->updating ? next_us : next_us - WINDOW_US);
}

static void tell(struct chip *chip, const char *fate)
{
    if (chip->truth)
        fprintf(chip->truth, "%.1f %d %d %s\n", chip->held_us, chip->number, chip->held, fate);
}

static int32_t clamp(double counts)
{
    return (int32_t)fmax(COUNTS_MIN, fmin(COUNTS_MAX, floor(counts)));
}

static int32_t measure(struct chip *chip)
{
    if (chip->trace_n && chip->trace_at < chip->trace_n) {
        chip->counts = chip->trace[chip->trace_at++];
        if (chip->trace_at == chip->trace_n && chip->trace_loops)
            chip->trace_at = 0;
    }
    if (chip->glitch_every && (chip->conversions + 1) % (unsigned)chip->glitch_every == 0)
        return (1 << (10 + chip->conversions % 13)) - 1;
    static const double PART[] = {[GAIN_128] = 1, [GAIN_64] = 0.5, [GAIN_32] = 0.25};
    return clamp(chip->counts * PART[chip->gain]);
}

/* The number of pulses of a reading says what the next conversion is of. */
static void choose_gain(struct chip *chip)
{
    static const enum chip_gain CHOSEN[] = {GAIN_128, GAIN_32, GAIN_64};
    if (chip->pulses <= DATA_BITS)
        return;
    int past = chip->pulses - DATA_BITS - 1;
    enum chip_gain gain = CHOSEN[past > 2 ? 2 : past];
    if (gain != chip->gain)
        chip->settling = SETTLE_CONVERSIONS;
    chip->gain = gain;
    chip->pulses = 0;
}

static void latch(struct chip *chip, double t_us)
{
    if (chip->pulses > 0) { /* in the middle of being read: what comes out is of two conversions */
        chip->torn++;
        tell(chip, "torn");
    } else if (chip->pending) {
        chip->missed++;
        tell(chip, "missed");
    }
    chip->held = measure(chip);
    chip->held_us = t_us;
    chip->conversions++;
    chip->pending = true;
}

static void finish_conversion(struct chip *chip, double t_us)
{
    chip->updating = false;
    chip->converted_us = t_us;
    if (chip->settling)
        chip->settling--;
    if (!chip->settling)
        latch(chip, t_us);
}

void chip_event(struct chip *chip, double t_us)
{
    if (chip->down || !chip->powered)
        return;
    if (chip->updating) {
        finish_conversion(chip, t_us);
    } else {
        choose_gain(chip);
        chip->updating = true;
    }
    chip_rearm(chip);
    chip_refresh(chip);
}

static void rise(struct chip *chip, double t_us)
{
    chip->clock_rose_us = t_us;
    chip->wires->watch_clock(chip->number, t_us + POWER_DOWN_US);
    if (chip->down || !chip->powered)
        return;
    if (chip->miss_pulse && chip->pulses + 1 == chip->miss_pulse) {
        chip->miss_pulse = 0;
        return;
    }
    chip->pulses++;
    if (chip->pulses == DATA_BITS + 1 && chip->pending) {
        chip->pending = false;
        chip->reads++;
        tell(chip, "read");
    }
    chip_refresh(chip);
}

static void fall(struct chip *chip, double t_us)
{
    chip->wires->unwatch_clock(chip->number);
    if (!chip->down)
        chip->longest_pulse_us = fmax(chip->longest_pulse_us, t_us - chip->clock_rose_us);
    if (chip->down && chip->powered)
        chip_power(chip, true, t_us);
}

void chip_clock(struct chip *chip, bool high, double t_us)
{
    if (chip->clock == high)
        return;
    chip->clock = high;
    if (high)
        rise(chip, t_us);
    else
        fall(chip, t_us);
}

void chip_clock_held(struct chip *chip)
{
    if (!chip->powered || chip->down)
        return;
    chip->down = true;
    chip->power_downs++;
    if (chip->pending)
        tell(chip, "lost");
    chip->pending = false;
    chip_refresh(chip);
}

void chip_rate(struct chip *chip, bool fast, double t_us)
{
    if (chip->fast == fast)
        return;
    chip->fast = fast;
    if (chip->powered && !chip->down) {
        if (chip->pending)
            tell(chip, "lost");
        begin_conversions(chip, t_us);
    }
}
