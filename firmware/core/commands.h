/* What the Pi, or a person at a terminal, can ask for. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "link.h"
#include "protocol.h"

/* Obeys a command frame and answers it. */
void commands_run(const struct command *command);

/* The settings behind the commands. False: there is no such value. */
bool commands_rate(uint16_t sps);
bool commands_gain(uint16_t gain);
bool commands_channels(uint16_t mask);

#endif
