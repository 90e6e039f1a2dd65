#include "reports.h"

#include <string.h>

#include "bytes.h"
#include "chips.h"
#include "counters.h"
#include "hal.h"
#include "link.h"
#include "module.h"
#include "protocol.h"
#include "settings.h"

#define NONCE_BYTES 4

static void send(uint8_t type, const uint8_t *payload, const uint8_t *end)
{
    link_send(type, payload, (uint8_t)(end - payload));
}

static uint8_t state(void)
{
    return module_streaming() ? STATE_STREAMING : 0;
}

void report_sample(const struct round *round)
{
    uint8_t payload[6 + 3 * CHANNELS];
    uint8_t *end = put32(payload, round->t_us);
    end = put8(end, round->mask);
    end = put8(end, round->flags);
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (round->mask & 1u << channel)
            end = put24(end, (uint32_t)round->counts[channel]);
    send(SAMPLE, payload, end);
}

void report_status(void)
{
    uint8_t payload[23 + CHANNELS];
    uint8_t *end = put32(payload, hal_micros());
    end = put16(end, counters.tx_dropped);
    end = put16(end, counters.rx_bad);
    end = put16(end, counters.timeouts);
    end = put16(end, counters.saturations);
    end = put16(end, counters.desyncs);
    end = put16(end, counters.late);
    end = put16(end, counters.worst_loop_us);
    end = put8(end, state());
    end = put8(end, chips_rate());
    end = put8(end, chips_gain());
    end = put8(end, chips_expected());
    end = put8(end, chips_alive());
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        end = put8(end, chips_faults(channel));
    counters.worst_loop_us = 0;
    send(STATUS, payload, end);
}

void report_hello(void)
{
    uint8_t payload[19 + ID_BYTES];
    uint8_t *end = put8(put8(payload, PROTOCOL_MAJOR), PROTOCOL_MINOR);
    end = put8(put8(put8(end, FIRMWARE_MAJOR), FIRMWARE_MINOR), FIRMWARE_PATCH);
    end = put32(end, BUILD_HASH);
    memcpy(end, settings_id(), ID_BYTES);
    end += ID_BYTES;
    end = put8(end, CHANNELS);
    end = put8(end, chips_expected());
    end = put32(end, TICK_HZ);
    end = put8(end, chips_rate());
    end = put8(end, chips_gain());
    end = put8(end, CAN_SET_RATE | CAN_SET_GAIN);
    end = put8(end, state());
    send(HELLO, payload, end);
}

void report_boot(uint8_t cause)
{
    uint8_t payload[5];
    send(BOOT, payload, put8(put32(payload, hal_micros()), cause));
}

void report_pong(const uint8_t *nonce, uint32_t t_rx_us)
{
    uint8_t payload[12];
    memcpy(payload, nonce, NONCE_BYTES);
    send(PONG, payload, put32(put32(payload + NONCE_BYTES, t_rx_us), hal_micros()));
}

void report_ack(uint8_t command, uint16_t seq, uint8_t result)
{
    uint8_t payload[4];
    send(ACK, payload, put8(put16(put8(payload, command), seq), result));
}
