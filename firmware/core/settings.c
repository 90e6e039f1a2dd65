#include "settings.h"

#include <string.h>

#include "bytes.h"
#include "frame.h"
#include "hal.h"

#define CHANNELS_AT 0
#define ID_AT 1
#define CRC_AT (ID_AT + ID_BYTES)
#define STORED_BYTES (CRC_AT + 2)

static uint8_t image[STORED_BYTES];
static uint8_t to_check; /* bytes of the image from here on may differ from the stored ones */

static bool plain(uint8_t letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
}

static bool is_id(const uint8_t *id)
{
    uint8_t n = 0;
    while (n < ID_BYTES && plain(id[n]))
        n++;
    while (n < ID_BYTES && id[n] == 0)
        n++;
    return n == ID_BYTES;
}

static bool sound(void)
{
    return frame_crc(image, CRC_AT) == get16(image + CRC_AT) && image[CHANNELS_AT] <= ALL_CHANNELS && is_id(image + ID_AT);
}

void settings_init(void)
{
    for (uint8_t at = 0; at < STORED_BYTES; at++)
        image[at] = hal_store_read(at);
    if (!sound())
        memset(image, 0, sizeof image);
    to_check = STORED_BYTES;
}

static void changed(void)
{
    put16(image + CRC_AT, frame_crc(image, CRC_AT));
    to_check = 0;
}

void settings_pass(void)
{
    if (to_check == STORED_BYTES || hal_store_busy())
        return;
    if (hal_store_read(to_check) != image[to_check])
        hal_store_write(to_check, image[to_check]);
    to_check++;
}

const uint8_t *settings_id(void)
{
    return image + ID_AT;
}

bool settings_set_id(const uint8_t *id)
{
    if (!is_id(id))
        return false;
    memcpy(image + ID_AT, id, ID_BYTES);
    changed();
    return true;
}

uint8_t settings_channels(void)
{
    return image[CHANNELS_AT];
}

void settings_set_channels(uint8_t channels)
{
    image[CHANNELS_AT] = channels;
    changed();
}
