/* What main.c needs of the platform beside hal.h. */
#ifndef HAL_AVR_H
#define HAL_AVR_H

#include <avr/io.h>
#include <stdint.h>

void hal_avr_init(void);

/* Counts every 4 ms. */
uint8_t hal_avr_ticks(void);

/* Bit 0 is set when a data line moves. */
#define LINES_MOVED GPIOR0

#endif
