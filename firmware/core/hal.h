/* What the core needs from a platform. Channels are numbered from 0; a set of channels is a mask, bit 0 = channel 0. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

/* Where constants stay that need not take up RAM, on platforms that tell such places apart. */
#ifdef __FLASH
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

/* Microseconds since the reset, wrapping at 2^32. */
uint32_t hal_micros(void);

/* The levels of all data lines, bit by channel. A line with no chip on it reads high. */
uint8_t hal_data_lines(void);

/* One pulse on these channels' clock lines. Returns the data lines as they were while the clock was high.
 * Nothing may interrupt while a clock line is high: the chip powers down after 60 us. */
uint8_t hal_pulse(uint8_t channels);

/* Puts these channels' clock lines high (the chips power down) or low, and leaves the others alone. */
void hal_hold(uint8_t channels, bool high);

/* Drives the RATE line of all chips: 80 samples a second or 10. */
void hal_rate(bool fast);

/* Bytes that hal_send can take now. hal_send must not be given more. */
uint8_t hal_send_room(void);
void hal_send(const uint8_t *bytes, uint8_t n);

/* Memory that outlives a power cut. Only while it is not busy may it be read or written; a write starts and returns. */
bool hal_store_busy(void);
uint8_t hal_store_read(uint8_t at);
void hal_store_write(uint8_t at, uint8_t value);

#endif
