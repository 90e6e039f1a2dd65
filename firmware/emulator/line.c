#include "line.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct faults to_pi, to_module;

static int master = -1, slave = -1;
static char link_at[4096];

static uint8_t *out;
static size_t out_n, out_room;
static uint8_t in[4096];
static size_t in_n, in_at;

const char *line_plug(const char *link_path)
{
    static char name[128];
    struct termios raw;
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    if (openpty(&master, &slave, name, &raw, NULL))
        return NULL;
    fcntl(master, F_SETFL, O_NONBLOCK);
    out_n = in_n = in_at = 0;
    if (!link_path)
        return name;
    strncpy(link_at, link_path, sizeof link_at - 1);
    unlink(link_at);
    return symlink(name, link_at) ? NULL : name;
}

void line_unplug(void)
{
    if (master < 0)
        return;
    if (link_at[0])
        unlink(link_at);
    close(slave);
    close(master);
    master = slave = -1;
    out_n = in_n = in_at = 0;
}

bool line_plugged(void)
{
    return master >= 0;
}

int line_fd(void)
{
    return master;
}

/* False: the byte is lost on the way. */
static bool survives(struct faults *faults, uint8_t *byte)
{
    faults->bytes++;
    if (faults->drop_every && faults->bytes % faults->drop_every == 0) {
        faults->dropped++;
        return false;
    }
    if (faults->flip_every && faults->bytes % faults->flip_every == 0) {
        *byte ^= (uint8_t)(1u << faults->flipped % 8);
        faults->flipped++;
    }
    return true;
}

void line_put(uint8_t byte)
{
    if (!line_plugged() || !survives(&to_pi, &byte))
        return;
    if (out_n == out_room) {
        out_room = out_room ? 2 * out_room : 65536;
        out = realloc(out, out_room);
        if (!out)
            abort();
    }
    out[out_n++] = byte;
}

bool line_get(uint8_t *byte)
{
    while (in_at < in_n) {
        *byte = in[in_at++];
        if (survives(&to_module, byte))
            return true;
    }
    return false;
}

void line_pump(void)
{
    if (!line_plugged())
        return;
    if (out_n) {
        ssize_t written = write(master, out, out_n);
        if (written > 0) {
            out_n -= (size_t)written;
            memmove(out, out + written, out_n);
        }
    }
    if (in_at == in_n) {
        ssize_t got = read(master, in, sizeof in);
        in_at = 0;
        in_n = got > 0 ? (size_t)got : 0;
    }
}

size_t line_backlog(void)
{
    return out_n;
}
