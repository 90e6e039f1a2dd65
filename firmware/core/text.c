#include "text.h"

#include <string.h>

#include "chips.h"
#include "commands.h"
#include "counters.h"
#include "hal.h"
#include "link.h"
#include "module.h"
#include "settings.h"

#define LINE_MAX 24  /* what can be typed */
#define PRINT_MAX 96 /* what is printed at a time */
#define BACKSPACE 8
#define DELETE 127

static bool active;
static char typed[LINE_MAX + 1];
static uint8_t typed_n;
static bool after_cr; /* a LF that follows is the same Enter */
static bool read_once;

/* A report is printed line by line, each when there is room for it. */
typedef bool report_line(uint8_t line); /* false: there is no such line */
static report_line *report;
static uint8_t report_at;

static char printed[PRINT_MAX];
static uint8_t printed_n;

static void print_char(char c)
{
    if (printed_n < sizeof printed)
        printed[printed_n++] = c;
}

static void print(const char *words)
{
    while (*words)
        print_char(*words++);
}

static void print_unsigned(uint32_t number)
{
    char digits[10];
    uint8_t n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (n)
        print_char(digits[--n]);
}

static void print_signed(int32_t number)
{
    if (number < 0)
        print_char('-');
    print_unsigned(number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
}

static void print_hex(uint32_t number)
{
    for (uint8_t i = 8; i--;)
        print_char("0123456789abcdef"[number >> 4 * i & 15]);
}

/* Sends what was printed. Where there is no room it is lost, and counted. */
static void flush(void)
{
    if (hal_send_room() < printed_n)
        counters.tx_dropped++;
    else
        hal_send((const uint8_t *)printed, printed_n);
    printed_n = 0;
}

static void say(const char *words)
{
    print(words);
    print("\r\n");
    flush();
}

/* Lines, each closed by a 0. */
static const IN_FLASH char HELP[] =
    "Castle Companion scales. Lines end with Enter:\0"
    " info          what this module is\0"
    " read          one reading    go  readings without end    stop\0"
    " rate 10|80    readings a second    gain 64|128\0"
    " id NAME       remember a name (a-z 0-9 -)    id  forget it\0"
    " channels N    how many chips are fitted, 0: those that answer\0"
    " faults        what went wrong    clear  forget it\0"
    " binary        back to frames\0"
    "Readings: t_us,flags,c0,c1,c2,c3  flags: 1 timeout 2 saturated 4 settling 8 desync\0";

static bool help_line(uint8_t line)
{
    const IN_FLASH char *at = HELP;
    while (line--)
        while (*at++)
            ;
    if (!*at)
        return false;
    while (*at)
        print_char(*at++);
    return true;
}

static void print_version(void)
{
    print("firmware ");
    print_unsigned(FIRMWARE_MAJOR);
    print_char('.');
    print_unsigned(FIRMWARE_MINOR);
    print_char('.');
    print_unsigned(FIRMWARE_PATCH);
    print(" build ");
    print_hex(BUILD_HASH);
    print(" protocol ");
    print_unsigned(PROTOCOL_MAJOR);
    print_char('.');
    print_unsigned(PROTOCOL_MINOR);
}

static void print_id(void)
{
    const uint8_t *id = settings_id();
    print("id ");
    if (!id[0])
        print("(none)");
    for (uint8_t i = 0; i < ID_BYTES && id[i]; i++)
        print_char((char)id[i]);
}

static void print_mask(const char *what, uint8_t mask)
{
    print(what);
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        print_char(mask & 1u << channel ? (char)('0' + channel) : '-');
}

static bool info_line(uint8_t line)
{
    switch (line) {
    case 0: print_version(); return true;
    case 1: print_id(); return true;
    case 2:
        print_mask("channels expected ", chips_expected());
        print_mask(" answering ", chips_alive());
        return true;
    case 3:
        print("rate ");
        print_unsigned(chips_rate());
        print(" gain ");
        print_unsigned(chips_gain());
        return true;
    default: return false;
    }
}

static void print_count(const char *what, uint16_t count)
{
    print(what);
    print_char(' ');
    print_unsigned(count);
}

static void print_channel_faults(uint8_t channel)
{
    uint8_t faults = chips_faults(channel);
    print("channel ");
    print_unsigned(channel);
    print(faults ? ":" : ": no fault");
    if (faults & TIMEOUT)
        print(" was silent");
    if (faults & SATURATED)
        print(" saturated");
    if (faults & DESYNC)
        print(" out of step");
}

static bool faults_line(uint8_t line)
{
    if (line == 0) {
        print_count("timeouts", counters.timeouts);
        print_count(" saturations", counters.saturations);
        print_count(" desyncs", counters.desyncs);
        print_count(" late", counters.late);
        return true;
    }
    if (line == 1) {
        print_count("dropped", counters.tx_dropped);
        print_count(" bad received", counters.rx_bad);
        return true;
    }
    if (line - 2 >= CHANNELS)
        return false;
    print_channel_faults((uint8_t)(line - 2));
    return true;
}

static void begin_report(report_line *new_report)
{
    report = new_report;
    report_at = 0;
}

void text_pass(void)
{
    if (!active || !report || hal_send_room() < PRINT_MAX + 2)
        return;
    if (report(report_at++))
        say("");
    else
        report = 0;
}

void text_init(void)
{
    active = read_once = after_cr = false;
    typed_n = printed_n = 0;
    report = 0;
}

bool text_active(void)
{
    return active;
}

void text_enter(void)
{
    text_init();
    module_stream(false);
    active = true;
    say("");
    begin_report(help_line);
}

static void leave(void)
{
    text_init();
    module_stream(false);
    link_owe_delimiter();
}

/* The number that is all of these words; 65535 when they are none. */
static uint16_t number_in(const char *words)
{
    uint16_t number = 0;
    if (!*words)
        return UINT16_MAX;
    for (; *words; words++) {
        if (*words < '0' || *words > '9' || number > 999)
            return UINT16_MAX;
        number = (uint16_t)(number * 10 + (*words - '0'));
    }
    return number;
}

static void answer(bool done, const char *otherwise)
{
    say(done ? "ok" : otherwise);
}

static bool name(const char *words)
{
    uint8_t id[ID_BYTES] = {0};
    size_t n = strlen(words);
    if (n > ID_BYTES)
        return false;
    memcpy(id, words, n);
    return settings_set_id(id);
}

static bool fitted(const char *words)
{
    uint16_t count = number_in(words);
    return count <= CHANNELS && commands_channels((uint16_t)((1u << count) - 1u));
}

static void set(const char *verb, const char *words)
{
    if (!strcmp(verb, "rate"))
        answer(commands_rate(number_in(words)), "no: rate 10 or rate 80");
    else if (!strcmp(verb, "gain"))
        answer(commands_gain(number_in(words)), "no: gain 64 or gain 128");
    else if (!strcmp(verb, "id"))
        answer(name(words), "no: up to 12 of a-z, 0-9 and -");
    else if (!strcmp(verb, "channels"))
        answer(fitted(words), "no: channels 0 to channels 4");
    else
        say("no: ? shows what can be typed");
}

static void run(const char *verb, const char *words)
{
    if (!strcmp(verb, "?"))
        begin_report(help_line);
    else if (!strcmp(verb, "info"))
        begin_report(info_line);
    else if (!strcmp(verb, "faults"))
        begin_report(faults_line);
    else if (!strcmp(verb, "read"))
        read_once = true;
    else if (!strcmp(verb, "go"))
        module_stream(true);
    else if (!strcmp(verb, "binary"))
        leave();
    else if (!strcmp(verb, "clear")) {
        chips_clear_faults();
        say("ok");
    } else if (!strcmp(verb, "stop"))
        say("ok");
    else
        set(verb, words);
}

static void run_line(void)
{
    module_stream(false);
    say("");
    typed[typed_n] = 0;
    typed_n = 0;
    if (!typed[0])
        return;
    char *space = strchr(typed, ' ');
    if (space)
        *space++ = 0;
    run(typed, space ? space : "");
}

static void erase(void)
{
    if (!typed_n)
        return;
    typed_n--;
    print("\b \b");
    flush();
}

static void type(uint8_t byte)
{
    if (typed_n == LINE_MAX)
        return;
    typed[typed_n++] = (char)byte;
    print_char((char)byte);
    flush();
}

void text_receive(uint8_t byte)
{
    bool same_enter = byte == '\n' && after_cr;
    after_cr = byte == '\r';
    if (byte == 0)
        leave();
    else if (same_enter)
        return;
    else if (byte == '\r' || byte == '\n')
        run_line();
    else if (byte == BACKSPACE || byte == DELETE)
        erase();
    else if (byte >= ' ' && byte < DELETE)
        type(byte);
}

void text_round(const struct round *round)
{
    if (!module_streaming() && !read_once)
        return;
    read_once = false;
    print_unsigned(round->t_us);
    print_char(',');
    print_unsigned(round->flags);
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        print_char(',');
        if (round->mask & 1u << channel)
            print_signed(round->counts[channel]);
    }
    say("");
}
