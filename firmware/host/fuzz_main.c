/* fuzz INPUTS SEED: the same inputs every time, half of them noise and half of them nearly right. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX 120u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

/* A first byte that fuzz.c takes for this of its five kinds, its other bits as they come. */
static uint8_t choice(uint32_t kind)
{
    return (uint8_t)(5 * draw(50) + kind);
}

static const char *const LINES[] = {
    "?",           "info\r",       "read\r",       "go\r",         "stop\r",      "rate 80\r",
    "rate 1\r",    "gain 64\r",    "gain 99999\r", "id north\r",   "id N\r",      "id a-very-very-long-one\r",
    "channels 3\r", "channels 9\r", "faults\r",     "clear\r",      "binary\r",    "\r\n",
    "\b\b\b",      "\x01\x02\xff", " \r",          "longer than a line can ever be",
};

static size_t lines(uint8_t *input)
{
    size_t n = 0;
    input[n++] = choice(4);
    while (n < INPUT_MAX - 40 && draw(6)) {
        const char *line = LINES[draw(sizeof LINES / sizeof LINES[0])];
        memcpy(input + n, line, strlen(line));
        n += strlen(line);
    }
    return n;
}

static size_t commands(uint8_t *input)
{
    size_t n = 0;
    input[n++] = choice(3);
    while (n < INPUT_MAX - 20 && draw(6)) {
        uint8_t length = (uint8_t)(draw(8) ? 3 + draw(14) : draw(46));
        input[n++] = length;
        if (n + length > INPUT_MAX)
            break;
        for (uint8_t i = 0; i < length; i++)
            input[n++] = (uint8_t)(i == 0 ? 0x81 + draw(10) : draw(3) ? draw(130) : draw(256));
    }
    return n;
}

static size_t noise(uint8_t *input)
{
    size_t n = 1 + draw(INPUT_MAX);
    uint32_t zeros = draw(8);
    for (size_t i = 0; i < n; i++)
        input[i] = (uint8_t)(draw(16) < zeros ? draw(4) : draw(256));
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "fuzz INPUTS SEED\n"), 2;
    uint64_t inputs = strtoull(argv[1], NULL, 10);
    state = 0x9E3779B97F4A7C15u ^ strtoull(argv[2], NULL, 10);
    for (uint64_t i = 0; i < inputs; i++) {
        uint8_t input[2 * INPUT_MAX];
        uint32_t kind = draw(8);
        size_t n = kind == 0 ? lines(input) : kind < 4 ? commands(input) : noise(input);
        LLVMFuzzerTestOneInput(input, n);
    }
    printf("%" PRIu64 " inputs, nothing found\n", inputs);
    return 0;
}
