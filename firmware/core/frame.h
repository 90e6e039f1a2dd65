/* Checksum and byte stuffing of a frame. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

/* CRC-16/IBM-3740. */
uint16_t frame_crc(const uint8_t *bytes, uint8_t n);

/* COBS of at most 253 bytes, without the closing 0x00. Returns the length, n + 1; `to` must have that room. */
uint8_t frame_stuff(const uint8_t *bytes, uint8_t n, uint8_t *to);

/* Undoes frame_stuff in place. Returns the length, 0 when this is no COBS. */
uint8_t frame_unstuff(uint8_t *bytes, uint8_t n);

#endif
