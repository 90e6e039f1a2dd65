/* emulator FIRMWARE.elf [--chips N] [--link PATH] [--truth FILE] [--speed X]
 *
 * Runs the firmware with N HX711s (4 unless told) and its serial line on a pty, whose name is the first line printed.
 * Commands come in on standard input, a line each; every command is answered by a line. With --speed time passes by
 * itself (1: real time, 0: as fast as somebody reads the pty); without, only while a `run` lasts.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "line.h"
#include "script.h"

#define STEP_US 1000.0
#define BACKLOG_MAX_BYTES 16384 /* unread: time waits for the reader */
#define LINE_MAX_BYTES 4096

static FILE *truth;

static double wall_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Reads what has come in. False at the end of the input. */
static bool read_commands(struct script *script)
{
    static char line[LINE_MAX_BYTES];
    static size_t n;
    char got[512];
    ssize_t bytes = read(STDIN_FILENO, got, sizeof got);
    for (ssize_t i = 0; i < bytes; i++) {
        if (got[i] != '\n') {
            if (n < sizeof line - 1)
                line[n++] = got[i];
            continue;
        }
        line[n] = 0;
        n = 0;
        if (truth)
            fflush(truth);
        script_line(script, line);
    }
    return bytes > 0;
}

/* Waits for a command, and where asked for the reader of the pty, at most this long; -1: for ever. */
static void wait_for(struct script *script, bool for_reader, int timeout_ms)
{
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = line_fd(), .events = POLLOUT}};
    poll(fds, for_reader ? 2 : 1, timeout_ms);
    if (fds[0].revents && !read_commands(script))
        script->quit = true;
    line_pump();
}

static bool run_batch(struct script *script)
{
    bool alive = board_run_until(script->run_until_us);
    script->run_asked = false;
    if (truth)
        fflush(truth);
    fprintf(answers, "ok %.1f\n", board_us());
    fflush(answers);
    return alive;
}

static bool run_free(struct script *script)
{
    static double started_s, started_us, speed = -1;
    if (speed != script->speed) {
        speed = script->speed;
        started_s = wall_s();
        started_us = board_us();
    }
    double ahead_s = speed > 0 ? (board_us() - started_us) / 1e6 / speed - (wall_s() - started_s) : 0;
    bool behind_reader = speed == 0 && line_backlog() > BACKLOG_MAX_BYTES;
    wait_for(script, line_backlog() > 0, behind_reader ? -1 : ahead_s > 0 ? (int)(ahead_s * 1000) + 1 : 0);
    if (behind_reader || !script->running)
        return true;
    return board_run_until(board_us() + STEP_US);
}

/* Keeps standard output for answers: simavr talks there too. */
static bool take_stdout(void)
{
    answers = fdopen(dup(STDOUT_FILENO), "w");
    return answers && freopen("/dev/null", "w", stdout);
}

static const char *option(int argc, char **argv, const char *name)
{
    for (int i = 2; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return NULL;
}

static int refuse(const char *why)
{
    fprintf(stderr, "emulator: %s\n", why);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return refuse("which firmware (.elf)?");
    const char *fitted = option(argc, argv, "--chips"), *truth_path = option(argc, argv, "--truth");
    const char *speed = option(argc, argv, "--speed");
    struct script script = {.link_path = option(argc, argv, "--link"), .speed = speed ? atof(speed) : 0, .running = speed};
    int chip_count = fitted ? atoi(fitted) : CHIPS_MAX;
    if (chip_count < 1 || chip_count > CHIPS_MAX)
        return refuse("one to four chips");
    if (truth_path && !(truth = fopen(truth_path, "w")))
        return refuse("the truth file cannot be written");
    if (!take_stdout())
        return refuse("nowhere to answer to");
    const char *pty = line_plug(script.link_path);
    if (!pty)
        return refuse("no pty to be had");
    if (!board_init(argv[1], chip_count, truth))
        return refuse("the firmware cannot be read");
    fprintf(answers, "port %s\n", pty);
    fflush(answers);

    bool alive = true;
    while (!script.quit && alive) {
        if (script.run_asked)
            alive = run_batch(&script);
        else if (script.running)
            alive = run_free(&script);
        else
            wait_for(&script, line_backlog() > 0, -1);
    }
    line_unplug();
    if (truth)
        fclose(truth);
    if (!alive)
        fprintf(stderr, "emulator: the firmware crashed\n");
    return !alive;
}
