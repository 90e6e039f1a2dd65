/* Frames to and from the Pi. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

struct command {
    uint8_t type;
    uint16_t seq;
    const uint8_t *payload; /* valid until the next byte is received */
    uint8_t n;
    uint32_t t_us; /* when its closing 0x00 arrived */
};

void link_init(void);

/* The next frame sent is preceded by a 0x00, to close whatever is on the line. */
void link_owe_delimiter(void);

/* Sends the frame whole or, where there is no room, not at all; its seq is spent either way. */
void link_send(uint8_t type, const uint8_t *payload, uint8_t n);

/* Takes a byte that arrived at t_us. True when it completed a good frame, which is then in *command. */
bool link_receive(uint8_t byte, uint32_t t_us, struct command *command);

/* A byte of the frame that is being received was lost. */
void link_spoil(void);

/* True between frames. */
bool link_between_frames(void);

/* Gives up a frame whose bytes have stopped coming. */
void link_expire(uint32_t now_us);

#endif
