#include "hal_host.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hal.h"

#define DATA_BITS 24

struct host host;

void host_init(void)
{
    memset(&host, 0, offsetof(struct host, sent));
    memset(host.store, 0xFF, sizeof host.store);
    host.room = 255;
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        host.chips[channel].fitted = true;
}

void host_convert(uint8_t channel, int32_t counts)
{
    struct host_chip *chip = &host.chips[channel];
    chip->counts = counts;
    chip->ready = !chip->held;
    if (chip->pulses > DATA_BITS)
        chip->extra = (uint8_t)(chip->pulses - DATA_BITS);
    chip->pulses = 0;
}

static bool data_line(const struct host_chip *chip)
{
    if (!chip->fitted)
        return true;
    if (chip->stuck_low)
        return false;
    if (chip->pulses == 0)
        return !chip->ready;
    return chip->pulses > DATA_BITS || ((uint32_t)chip->counts >> (DATA_BITS - chip->pulses) & 1u);
}

uint32_t hal_micros(void)
{
    return host.now_us;
}

uint8_t hal_data_lines(void)
{
    uint8_t lines = 0;
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (data_line(&host.chips[channel]))
            lines |= (uint8_t)(1u << channel);
    return lines;
}

uint8_t hal_pulse(uint8_t channels)
{
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        struct host_chip *chip = &host.chips[channel];
        if (!(channels & 1u << channel) || chip->held)
            continue;
        chip->pulses++;
        if (chip->pulses > DATA_BITS)
            chip->ready = false;
    }
    return hal_data_lines();
}

void hal_hold(uint8_t channels, bool high)
{
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        struct host_chip *chip = &host.chips[channel];
        if (!(channels & 1u << channel))
            continue;
        chip->power_downs += high && !chip->held;
        chip->held = high;
        chip->ready = false;
        chip->pulses = 0;
    }
}

void hal_rate(bool fast)
{
    host.fast = fast;
}

uint8_t hal_send_room(void)
{
    return host.room;
}

void hal_send(const uint8_t *bytes, uint8_t n)
{
    if (n > host.room)
        abort();
    if (host.sent_n + n > HOST_SENT_MAX)
        host.sent_n = 0;
    memcpy(host.sent + host.sent_n, bytes, n);
    host.sent_n += n;
}

bool hal_store_busy(void)
{
    return host.store_busy;
}

uint8_t hal_store_read(uint8_t at)
{
    if (host.store_busy || at >= HOST_STORE_BYTES)
        abort();
    return host.store[at];
}

void hal_store_write(uint8_t at, uint8_t value)
{
    if (host.store_busy || at >= HOST_STORE_BYTES)
        abort();
    host.store[at] = value;
    host.stored++;
}
