#include "frame.h"

#define CRC_START 0xFFFFu

static uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)((uint8_t)(crc >> 8) ^ byte);
    x ^= (uint8_t)(x >> 4);
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)((uint16_t)x << 12) ^ (uint16_t)((uint16_t)x << 5) ^ x);
}

uint16_t frame_crc(const uint8_t *bytes, uint8_t n)
{
    uint16_t crc = CRC_START;
    while (n--)
        crc = crc_step(crc, *bytes++);
    return crc;
}

uint8_t frame_stuff(const uint8_t *bytes, uint8_t n, uint8_t *to)
{
    uint8_t code_at = 0, end = 1;
    while (n--) {
        if (*bytes) {
            to[end++] = *bytes;
        } else {
            to[code_at] = (uint8_t)(end - code_at);
            code_at = end++;
        }
        bytes++;
    }
    to[code_at] = (uint8_t)(end - code_at);
    return end;
}

uint8_t frame_unstuff(uint8_t *bytes, uint8_t n)
{
    uint8_t from = 0, end = 0;
    while (from < n) {
        uint8_t code = bytes[from++];
        if (code == 0 || code - 1 > n - from)
            return 0;
        while (--code) {
            if (bytes[from] == 0)
                return 0;
            bytes[end++] = bytes[from++];
        }
        if (from < n)
            bytes[end++] = 0;
    }
    return end;
}
