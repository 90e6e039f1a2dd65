#include "module.h"

#include <string.h>

#include "chips.h"
#include "commands.h"
#include "counters.h"
#include "hal.h"
#include "link.h"
#include "reports.h"
#include "settings.h"
#include "text.h"

#define STATUS_EVERY_US 1000000ul
#define WORST_LOOP_MAX_US 65535ul

struct counters counters;

static bool streaming;
static uint32_t status_us;

void module_init(uint8_t reset_cause)
{
    memset(&counters, 0, sizeof counters);
    streaming = false;
    status_us = hal_micros();
    settings_init();
    link_init();
    text_init();
    chips_init(settings_channels());
    rounds_init();
    report_boot(reset_cause);
    report_hello();
}

static void report_status_when_due(uint32_t now_us)
{
    if (now_us - status_us < STATUS_EVERY_US)
        return;
    status_us += STATUS_EVERY_US;
    if (!text_active())
        report_status();
}

void module_pass(void)
{
    uint32_t now_us = hal_micros();
    rounds_pass(now_us);
    link_expire(now_us);
    settings_pass();
    text_pass();
    report_status_when_due(now_us);
}

void module_loop_took(uint32_t took_us)
{
    if (took_us > WORST_LOOP_MAX_US)
        took_us = WORST_LOOP_MAX_US;
    if (took_us > counters.worst_loop_us)
        counters.worst_loop_us = (uint16_t)took_us;
}

void module_receive(uint8_t byte, uint32_t t_us)
{
    struct command command;
    if (text_active())
        text_receive(byte);
    else if (byte == '?' && link_between_frames())
        text_enter();
    else if (link_receive(byte, t_us, &command))
        commands_run(&command);
}

void module_receive_lost(void)
{
    if (!text_active())
        link_spoil();
}

void module_round(const struct round *round)
{
    if (text_active())
        text_round(round);
    else if (streaming)
        report_sample(round);
}

void module_stream(bool on)
{
    streaming = on;
}

bool module_streaming(void)
{
    return streaming;
}
