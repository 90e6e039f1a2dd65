/* The microcontroller with its chips and its serial line, as pins.h wires them. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdio.h>

#include "chip.h"

#define CHIPS_MAX 4

enum reset { RESET_POWER_ON = 1, RESET_PIN = 2, RESET_BROWN_OUT = 4 };

extern struct chip chips[CHIPS_MAX];
extern int chips_fitted;

/* Loads the .elf and powers everything up. False: the file is no firmware. */
bool board_init(const char *elf, int fitted, FILE *truth);

/* Microseconds since board_init, resets or not. */
double board_us(void);

/* Runs the firmware until then. False: it crashed. */
bool board_run_until(double t_us);

/* Resets the microcontroller; at power-on the chips too. */
void board_reset(enum reset cause);

/* Resets as soon as the module has sent this many more bytes. */
void board_reset_after(unsigned bytes);

/* Without power nothing happens but time. */
void board_power(bool on);

/* The firmware runs round in a circle with interrupts off, until the watchdog bites. */
void board_hang(void);

#endif
