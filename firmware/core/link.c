#include "link.h"

#include <string.h>

#include "bytes.h"
#include "counters.h"
#include "frame.h"
#include "hal.h"
#include "protocol.h"

#define PAUSE_MAX_US 250000ul

static uint16_t next_seq;
static bool owes_delimiter;

static uint8_t received[COMMAND_MAX_BYTES + 1]; /* stuffed: one byte longer than raw */
static uint8_t received_n;
static bool spoilt;
static uint32_t last_byte_us;

void link_init(void)
{
    next_seq = 0;
    received_n = 0;
    spoilt = false;
    owes_delimiter = true;
}

void link_owe_delimiter(void)
{
    owes_delimiter = true;
}

void link_send(uint8_t type, const uint8_t *payload, uint8_t n)
{
    uint8_t raw[RAW_MAX_BYTES], wire[RAW_MAX_BYTES + 3];
    uint8_t *end = put16(put8(raw, type), next_seq++);
    memcpy(end, payload, n);
    end += n;
    end = put16(end, frame_crc(raw, (uint8_t)(end - raw)));

    uint8_t length = 0;
    if (owes_delimiter)
        wire[length++] = 0;
    length = (uint8_t)(length + frame_stuff(raw, (uint8_t)(end - raw), wire + length));
    wire[length++] = 0;
    if (hal_send_room() < length) {
        counters.tx_dropped++;
        return;
    }
    hal_send(wire, length);
    owes_delimiter = false;
}

static bool open_frame(struct command *command)
{
    uint8_t n = frame_unstuff(received, received_n);
    if (n < FRAME_OVERHEAD_BYTES || frame_crc(received, (uint8_t)(n - 2)) != get16(received + n - 2))
        return false;
    command->type = received[0];
    command->seq = get16(received + 1);
    command->payload = received + 3;
    command->n = (uint8_t)(n - FRAME_OVERHEAD_BYTES);
    return true;
}

static void forget_frame(void)
{
    received_n = 0;
    spoilt = false;
}

bool link_receive(uint8_t byte, uint32_t t_us, struct command *command)
{
    last_byte_us = t_us;
    if (byte) {
        if (received_n < sizeof received)
            received[received_n++] = byte;
        else
            spoilt = true;
        return false;
    }
    if (link_between_frames())
        return false;
    command->t_us = t_us;
    bool good = !spoilt && open_frame(command);
    if (!good)
        counters.rx_bad++;
    forget_frame();
    return good;
}

void link_spoil(void)
{
    spoilt = true;
}

bool link_between_frames(void)
{
    return received_n == 0 && !spoilt;
}

void link_expire(uint32_t now_us)
{
    if (link_between_frames() || now_us - last_byte_us <= PAUSE_MAX_US)
        return;
    counters.rx_bad++;
    forget_frame();
}
