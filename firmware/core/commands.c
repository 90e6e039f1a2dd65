#include "commands.h"

#include "chips.h"
#include "module.h"
#include "reports.h"
#include "settings.h"
#include "text.h"

#define PING_BYTES 4

bool commands_rate(uint16_t sps)
{
    if (sps != 10 && sps != 80)
        return false;
    chips_set_rate((uint8_t)sps);
    return true;
}

bool commands_gain(uint16_t gain)
{
    if (gain != 64 && gain != 128)
        return false;
    chips_set_gain((uint8_t)gain);
    return true;
}

bool commands_channels(uint16_t mask)
{
    if (mask > ALL_CHANNELS)
        return false;
    settings_set_channels((uint8_t)mask);
    chips_expect((uint8_t)mask);
    return true;
}

static bool stream(uint8_t on)
{
    if (on > 1)
        return false;
    module_stream(on);
    return true;
}

/* Payload lengths of the commands that are acknowledged, from STREAM to CLEAR. */
static const uint8_t LENGTHS[] = {1, 1, 1, ID_BYTES, 1, 0, 0};

static bool obey(uint8_t type, const uint8_t *payload)
{
    switch (type) {
    case STREAM: return stream(payload[0]);
    case SET_RATE: return commands_rate(payload[0]);
    case SET_GAIN: return commands_gain(payload[0]);
    case SET_ID: return settings_set_id(payload);
    case SET_CHANNELS: return commands_channels(payload[0]);
    case CLEAR: chips_clear_faults(); return true;
    default: return true;
    }
}

static uint8_t result_of(const struct command *command)
{
    if (command->type < STREAM || command->type > CLEAR)
        return UNKNOWN_COMMAND;
    if (command->n != LENGTHS[command->type - STREAM] || !obey(command->type, command->payload))
        return WRONG_VALUE;
    return DONE;
}

static bool asks(const struct command *command, uint8_t type, uint8_t n)
{
    return command->type == type && command->n == n;
}

static void acknowledge(const struct command *command)
{
    uint8_t known = command->type == ASK_HELLO || command->type == PING;
    uint8_t result = known ? WRONG_VALUE : result_of(command);
    report_ack(command->type, command->seq, result);
    if (command->type == TEXT && result == DONE)
        text_enter();
}

void commands_run(const struct command *command)
{
    if (asks(command, ASK_HELLO, 0))
        report_hello();
    else if (asks(command, PING, PING_BYTES))
        report_pong(command->payload, command->t_us);
    else
        acknowledge(command);
}
