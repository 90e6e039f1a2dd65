/* The module as a whole: what the platform calls, and what its parts ask of it. */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "rounds.h"

/* Starts over after a reset, whose cause is told in BOOT. */
void module_init(uint8_t reset_cause);

/* One pass of the main loop: whenever a data line has moved, and every few milliseconds. */
void module_pass(void);

/* How long the main loop was busy before it could look at the chips again. */
void module_loop_took(uint32_t took_us);

/* A byte from the Pi that arrived at t_us; a byte that was lost. */
void module_receive(uint8_t byte, uint32_t t_us);
void module_receive_lost(void);

/* A round has closed. */
void module_round(const struct round *round);

void module_stream(bool on);
bool module_streaming(void);

#endif
