/* Text mode: the module for people with a serial terminal. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "rounds.h"

void text_init(void);
bool text_active(void);

/* Starts text mode with its help. */
void text_enter(void);

void text_receive(uint8_t byte);
void text_round(const struct round *round);

/* Prints what is waiting, as far as there is room. */
void text_pass(void);

#endif
