/* An HX711 at pin level: what its data line does, given its clock line, its RATE line and time. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNTS_MAX 8388607
#define COUNTS_MIN (-8388608)

/* The chip does not know of the simulator: the board tells it the time and what it asks for is done through these. */
struct chip_wires {
    void (*data)(int chip, bool high);                /* drives the data line */
    void (*wake)(int chip, double t_us);              /* calls chip_event then, instead of whenever it was told before */
    void (*watch_clock)(int chip, double t_us);       /* calls chip_clock_held then */
    void (*unwatch_clock)(int chip);
};

enum chip_gain { GAIN_128, GAIN_64, GAIN_32 };

struct chip {
    int number;
    const struct chip_wires *wires;
    FILE *truth; /* one line for each conversion: t_us chip counts fate */

    /* what a test sets */
    double oscillator; /* 1.0: exactly 80 or 10 a second */
    int32_t counts;    /* at gain 128 */
    int32_t *trace;    /* then one of these for each conversion */
    size_t trace_n, trace_at;
    bool trace_loops;
    bool dead;         /* the data line floats */
    bool stuck;        /* the data line is shorted to ground */
    int glitch_every;  /* every so many conversions come out as 2^n - 1 */
    int miss_pulse;    /* the chip does not see this pulse of the next reading, counted from 1 */

    /* what the chip is doing */
    bool powered, down, fast, clock;
    bool updating;     /* in the window in which it must not be read */
    bool pending;      /* a conversion waits to be read */
    int pulses;
    int32_t held;
    double held_us;
    enum chip_gain gain;
    int settling;
    double converted_us; /* when the last conversion ended */

    /* what happened */
    unsigned long conversions, reads, missed, torn, power_downs;
    double longest_pulse_us, clock_rose_us;
};

void chip_init(struct chip *chip, int number, const struct chip_wires *wires, FILE *truth);
void chip_power(struct chip *chip, bool on, double t_us);
void chip_event(struct chip *chip, double t_us);
void chip_clock(struct chip *chip, bool high, double t_us);
void chip_clock_held(struct chip *chip);
void chip_rate(struct chip *chip, bool fast, double t_us);

/* Brings the data line to where it should be, after a test has changed what holds it. */
void chip_refresh(struct chip *chip);

/* After the simulator forgot what it was told to do: when to call chip_event. */
void chip_rearm(struct chip *chip);

#endif
