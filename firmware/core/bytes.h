/* Little-endian numbers in a buffer. Each put returns the place after what it wrote. */
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

static inline uint8_t *put8(uint8_t *at, uint8_t value)
{
    *at = value;
    return at + 1;
}

static inline uint8_t *put16(uint8_t *at, uint16_t value)
{
    return put8(put8(at, (uint8_t)value), (uint8_t)(value >> 8));
}

static inline uint8_t *put24(uint8_t *at, uint32_t value)
{
    return put8(put16(at, (uint16_t)value), (uint8_t)(value >> 16));
}

static inline uint8_t *put32(uint8_t *at, uint32_t value)
{
    return put16(put16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint16_t get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)at[1] << 8);
}

#endif
