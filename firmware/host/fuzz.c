/* What must never happen, whatever arrives. The first byte of an input chooses what it is taken for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "hal_host.h"
#include "link.h"
#include "module.h"
#include "protocol.h"
#include "text.h"

#define STUFFED_MAX 253u
#define PASS_EVERY_BYTES 16u
#define KINDS 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool true_of_all)
{
    if (!true_of_all)
        abort();
}

/* The decoder: never past its input, and the inverse of the encoder. */
static void decode(const uint8_t *data, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1); /* of this size and no more: the sanitizer sees a step too far */
    must(exact != NULL);
    if (n)
        memcpy(exact, data, n);
    uint8_t length = frame_unstuff(exact, (uint8_t)n);
    must(n == 0 || length < n);
    if (length) {
        uint8_t again[256];
        must(frame_stuff(exact, length, again) == n && memcmp(again, data, n) == 0);
    }
    free(exact);
}

static void encode(const uint8_t *data, size_t n)
{
    uint8_t *stuffed = malloc(n + 1);
    must(stuffed != NULL);
    must(frame_stuff(data, (uint8_t)n, stuffed) == n + 1);
    must(memchr(stuffed, 0, n + 1) == NULL);
    must(frame_unstuff(stuffed, (uint8_t)(n + 1)) == n && (n == 0 || memcmp(stuffed, data, n) == 0));
    free(stuffed);
}

static void start_module(uint8_t choice, size_t n)
{
    host_init();
    host.room = choice & 0x80 ? (uint8_t)n : 255; /* of whatever size: a line that is full, or nearly */
    module_init(choice & 15);
}

static void pass(uint8_t byte)
{
    host.now_us += (uint32_t)byte * 997u;
    host_convert(byte % CHANNELS, (int32_t)byte * 65793 - 0x800000);
    host.chips[(byte >> 2) % CHANNELS].stuck_low = byte > 250;
    host.store_busy = byte & 1;
    module_pass();
}

/* The command parser: bytes as they come. */
static void receive(const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        module_receive(data[i], host.now_us);
        if (i % PASS_EVERY_BYTES == 0)
            pass(data[i]);
    }
    module_receive_lost();
    module_receive(0, host.now_us);
    must(!text_active());
}

/* The commands: the input as raw frames with a right checksum, each with its length in front. */
static void command(const uint8_t *data, size_t n)
{
    while (n) {
        uint8_t raw[COMMAND_MAX_BYTES + 16], stuffed[COMMAND_MAX_BYTES + 17];
        uint8_t wanted = (uint8_t)(data[0] % (COMMAND_MAX_BYTES + 8));
        uint8_t length = wanted < n - 1 ? wanted : (uint8_t)(n - 1);
        memcpy(raw, data + 1, length);
        if (length)
            raw[0] |= 0x80;
        uint16_t crc = frame_crc(raw, length);
        raw[length] = (uint8_t)crc;
        raw[length + 1] = (uint8_t)(crc >> 8);
        uint8_t wire = frame_stuff(raw, (uint8_t)(length + 2), stuffed);
        for (uint8_t i = 0; i < wire; i++)
            module_receive(stuffed[i], host.now_us);
        module_receive(0, host.now_us);
        pass(data[0]);
        data += length + 1u;
        n -= length + 1u;
    }
}

static void type_text(const uint8_t *data, size_t n)
{
    module_receive(0, host.now_us);
    module_receive('?', host.now_us);
    must(text_active());
    for (size_t i = 0; i < n; i++) {
        module_receive(data[i] & 0x7F, host.now_us);
        if (i % PASS_EVERY_BYTES == 0)
            pass(data[i]);
    }
    module_receive(0, host.now_us);
    must(!text_active());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 1)
        return 0;
    uint8_t choice = data[0];
    data++;
    n = n - 1 < STUFFED_MAX ? n - 1 : STUFFED_MAX;
    switch (choice % KINDS) {
    case 0: decode(data, n); break;
    case 1: encode(data, n); break;
    case 2: start_module(choice, n); receive(data, n); break;
    case 3: start_module(choice, n); command(data, n); break;
    default: start_module(choice, n); type_text(data, n); break;
    }
    return 0;
}
