/* The serial line to the Pi: 500000 baud, 8N1, both ways through a buffer. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);

/* Takes a received byte; for a 0x00, *t_us becomes when it (or a later one) arrived. False: there is none. */
bool uart_take(uint8_t *byte, uint32_t *t_us);
bool uart_waiting(void);

/* True once after bytes were lost. */
bool uart_lost(void);

#endif
