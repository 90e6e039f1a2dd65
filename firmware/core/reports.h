/* The frames a module sends, laid out as PROTOCOL.md has them. */
#ifndef REPORTS_H
#define REPORTS_H

#include <stdint.h>

#include "rounds.h"

void report_sample(const struct round *round);
void report_status(void);
void report_hello(void);
void report_boot(uint8_t cause);
void report_pong(const uint8_t *nonce, uint32_t t_rx_us);
void report_ack(uint8_t command, uint16_t seq, uint8_t result);

#endif
