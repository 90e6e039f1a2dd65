/* The serial line between the emulated module and whoever opens the pty, with the faults a test asks for. */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct faults {
    unsigned drop_every, flip_every; /* bytes; 0: never */
    unsigned long bytes, dropped, flipped;
};

extern struct faults to_pi, to_module;

/* Opens a pty and, where a path is given, a link to it at that path. Returns its name, NULL when that fails. */
const char *line_plug(const char *link_path);
void line_unplug(void);
bool line_plugged(void);

/* A byte from the module. */
void line_put(uint8_t byte);

/* The next byte for the module. */
bool line_get(uint8_t *byte);

/* Moves what can be moved to and from the pty. */
void line_pump(void);

/* Bytes that nobody has taken out of the pty yet. */
size_t line_backlog(void);

/* The pty's file descriptor, -1 while unplugged. */
int line_fd(void);

#endif
