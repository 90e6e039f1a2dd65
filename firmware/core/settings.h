/* What a module keeps through a power cut: its id and which channels should answer. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Reads what is stored; what is damaged or was never written counts as not given. */
void settings_init(void);

/* Stores, a byte at a time, what has been changed. */
void settings_pass(void);

/* ID_BYTES bytes, padded with 0x00. */
const uint8_t *settings_id(void);

/* True when the ID_BYTES bytes are an id: a-z, 0-9 and '-', then 0x00 to the end. It is then kept. */
bool settings_set_id(const uint8_t *id);

uint8_t settings_channels(void);
void settings_set_channels(uint8_t channels);

#endif
