#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "line.h"

#define WORDS_MAX 4

struct words {
    int n;
    char *word[WORDS_MAX];
};

typedef const char *verb(struct script *script, const struct words *words); /* NULL, or what is wrong */

FILE *answers;

static void answer(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(answers, format, values);
    va_end(values);
    putc('\n', answers);
    fflush(answers);
}

static bool number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return *word && !*end;
}

/* Calls `change` for the chip the first word names; '*' names all. */
static const char *each_chip(const char *word, void (*change)(struct chip *, double), double value)
{
    double chip;
    if (!strcmp(word, "*")) {
        for (int i = 0; i < chips_fitted; i++)
            change(&chips[i], value);
        return NULL;
    }
    if (!number(word, &chip) || chip < 0 || chip >= chips_fitted)
        return "no such chip";
    change(&chips[(int)chip], value);
    return NULL;
}

static const char *change_chips(const struct words *words, void (*change)(struct chip *, double))
{
    double value;
    if (words->n != 3 || !number(words->word[2], &value))
        return "a chip and a number are needed";
    return each_chip(words->word[1], change, value);
}

static void set_counts(struct chip *chip, double value)
{
    chip->counts = (int32_t)(value > COUNTS_MAX ? COUNTS_MAX : value < COUNTS_MIN ? COUNTS_MIN : value);
    chip->trace_n = 0;
}

static void set_oscillator(struct chip *chip, double value)
{
    chip->oscillator = value > 0.01 ? value : 0.01;
}

static void set_dead(struct chip *chip, double value)
{
    chip->dead = value != 0;
    chip_refresh(chip);
}

static void set_stuck(struct chip *chip, double value)
{
    chip->stuck = value != 0;
    chip_refresh(chip);
}

static void set_glitch(struct chip *chip, double value)
{
    chip->glitch_every = (int)value;
}

static void set_miss(struct chip *chip, double value)
{
    chip->miss_pulse = (int)value;
}

static const char *do_set(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_counts); }
static const char *do_osc(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_oscillator); }
static const char *do_dead(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_dead); }
static const char *do_stuck(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_stuck); }
static const char *do_glitch(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_glitch); }
static const char *do_miss(struct script *s, const struct words *w) { (void)s; return change_chips(w, set_miss); }

static size_t read_trace(FILE *file, int32_t **trace)
{
    size_t n = 0, room = 0;
    int value;
    *trace = NULL;
    while (fscanf(file, "%d", &value) == 1) {
        if (n == room) {
            room = room ? 2 * room : 1024;
            *trace = realloc(*trace, room * sizeof **trace);
        }
        (*trace)[n++] = value > COUNTS_MAX ? COUNTS_MAX : value < COUNTS_MIN ? COUNTS_MIN : value;
    }
    return n;
}

static const char *do_trace(struct script *script, const struct words *words)
{
    (void)script;
    double chip;
    if (words->n < 3 || !number(words->word[1], &chip) || chip < 0 || chip >= chips_fitted)
        return "a chip and a file are needed";
    FILE *file = fopen(words->word[2], "r");
    if (!file)
        return "the file cannot be read";
    struct chip *playing = &chips[(int)chip];
    free(playing->trace);
    playing->trace_n = read_trace(file, &playing->trace);
    playing->trace_at = 0;
    playing->trace_loops = words->n == 4 && !strcmp(words->word[3], "loop");
    fclose(file);
    return NULL;
}

static const char *do_harm(struct script *script, const struct words *words)
{
    (void)script;
    double every;
    if (words->n != 3 || !number(words->word[2], &every) || every < 0)
        return "a direction (out or in) and a number are needed";
    struct faults *faults = !strcmp(words->word[1], "in") ? &to_module : &to_pi;
    if (!strcmp(words->word[0], "drop"))
        faults->drop_every = (unsigned)every;
    else
        faults->flip_every = (unsigned)every;
    return NULL;
}

static const char *do_unplug(struct script *script, const struct words *words)
{
    (void)script, (void)words;
    line_unplug();
    board_power(false);
    return NULL;
}

static const char *do_replug(struct script *script, const struct words *words)
{
    (void)words;
    line_unplug();
    if (!line_plug(script->link_path))
        return "no pty to be had";
    board_power(true);
    return NULL;
}

static const char *do_reset(struct script *script, const struct words *words)
{
    (void)script;
    double bytes;
    if (words->n == 1)
        board_reset(RESET_PIN);
    else if (number(words->word[1], &bytes) && bytes > 0)
        board_reset_after((unsigned)bytes);
    else
        return "after how many bytes?";
    return NULL;
}

static const char *do_hang(struct script *script, const struct words *words)
{
    (void)script, (void)words;
    board_hang();
    return NULL;
}

static const char *do_stop(struct script *script, const struct words *words)
{
    (void)words;
    script->running = false;
    script->run_until_us = board_us();
    return NULL;
}

static const char *do_go(struct script *script, const struct words *words)
{
    if (words->n == 2 && (!number(words->word[1], &script->speed) || script->speed < 0))
        return "how many times real time?";
    script->running = true;
    return NULL;
}

static const char *do_run(struct script *script, const struct words *words)
{
    double seconds;
    if (words->n != 2 || !number(words->word[1], &seconds) || seconds < 0)
        return "how many seconds?";
    script->running = false;
    script->run_until_us = board_us() + seconds * 1e6;
    script->run_asked = true;
    return NULL;
}

static const char *do_quit(struct script *script, const struct words *words)
{
    (void)words;
    script->quit = true;
    return NULL;
}

static void print_faults(const char *name, const struct faults *faults)
{
    fprintf(answers, "\"%s\": {\"bytes\": %lu, \"dropped\": %lu, \"flipped\": %lu}, ", name, faults->bytes, faults->dropped,
           faults->flipped);
}

static void print_chip(const struct chip *chip)
{
    fprintf(answers, "%s{\"conversions\": %lu, \"reads\": %lu, \"missed\": %lu, \"torn\": %lu, \"power_downs\": %lu, "
           "\"longest_pulse_us\": %.2f, \"played\": %zu}",
           chip->number ? ", " : "", chip->conversions, chip->reads, chip->missed, chip->torn, chip->power_downs,
           chip->longest_pulse_us, chip->trace_at);
}

static const char *do_stats(struct script *script, const struct words *words)
{
    (void)script, (void)words;
    fprintf(answers, "ok {\"t_us\": %.1f, ", board_us());
    print_faults("to_pi", &to_pi);
    print_faults("to_module", &to_module);
    fprintf(answers, "\"chips\": [");
    for (int i = 0; i < chips_fitted; i++)
        print_chip(&chips[i]);
    answer("]}");
    return NULL;
}

static const struct {
    const char *word;
    verb *act;
    bool answers; /* prints its own answer, or it comes later */
} VERBS[] = {
    {"set", do_set, false},       {"oscillator", do_osc, false}, {"dead", do_dead, false},   {"stuck", do_stuck, false},
    {"glitch", do_glitch, false}, {"miss", do_miss, false},      {"trace", do_trace, false}, {"drop", do_harm, false},
    {"flip", do_harm, false},     {"unplug", do_unplug, false},  {"replug", do_replug, false}, {"reset", do_reset, false},
    {"hang", do_hang, false},     {"stop", do_stop, false},      {"go", do_go, false},       {"run", do_run, true},
    {"stats", do_stats, true},    {"quit", do_quit, false},
};

static struct words split(char *line)
{
    struct words words = {0};
    for (char *word = strtok(line, " \t\r"); word && words.n < WORDS_MAX; word = strtok(NULL, " \t\r"))
        words.word[words.n++] = word;
    return words;
}

void script_line(struct script *script, char *line)
{
    struct words words = split(line);
    for (size_t i = 0; words.n && i < sizeof VERBS / sizeof VERBS[0]; i++) {
        if (strcmp(words.word[0], VERBS[i].word))
            continue;
        const char *wrong = VERBS[i].act(script, &words);
        if (wrong)
            answer("error %s", wrong);
        else if (!VERBS[i].answers)
            answer("ok");
        return;
    }
    answer("error no such command");
}
