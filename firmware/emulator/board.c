#include "board.h"

#include <string.h>

#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_cycle_timers.h>
#include <sim_elf.h>

#include "line.h"
#include "pins.h"

#define STRING2(x) #x
#define STRING(x) STRING2(x)
#define PORT_LETTER(port) (STRING(port)[0])

#define F_CPU_HZ 16000000
#define CYCLES_PER_US (F_CPU_HZ / 1e6)
#define MCUSR_AT 0x54
#define SLICE_US 250.0 /* how often the serial line is looked after */
#define RJMP_SELF 0xCFFF

struct chip chips[CHIPS_MAX];
int chips_fitted;

static avr_t *avr;
static elf_firmware_t firmware;
static avr_irq_t *data_irq[CHIPS_MAX], *uart_in;
static bool uart_has_room = true, powered, was_reset, reset_wanted;
static avr_cycle_count_t reset_cycle;
static double extra_us; /* time that avr->cycle does not count: without power, and before a reset of newer simavrs */
static unsigned reset_in_bytes;
static avr_ioport_external_t driven; /* simavr's pull-ups win over irqs, but not over this */
static void (*mcu_reset)(struct avr_t *);

double board_us(void)
{
    return avr->cycle / CYCLES_PER_US + extra_us;
}

static avr_cycle_count_t cycles_until(double t_us)
{
    double cycles = (t_us - board_us()) * CYCLES_PER_US;
    return cycles < 1 ? 1 : (avr_cycle_count_t)(cycles + 0.5);
}

/* ---- the chips' wires ---- */

static avr_cycle_count_t on_wake(avr_t *mcu, avr_cycle_count_t when, void *chip)
{
    (void)mcu, (void)when;
    chip_event(chip, board_us());
    return 0;
}

static avr_cycle_count_t on_clock_held(avr_t *mcu, avr_cycle_count_t when, void *chip)
{
    (void)mcu, (void)when;
    chip_clock_held(chip);
    return 0;
}

static void wire_data(int chip, bool high)
{
    unsigned bit = 1u << (DATA_BIT + chip);
    if ((driven.mask & bit) && !(driven.value & bit) == !high)
        return;
    driven.name = PORT_LETTER(DATA_PORT);
    driven.mask |= bit;
    driven.value = high ? driven.value | bit : driven.value & ~bit;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(PORT_LETTER(DATA_PORT)), &driven);
    avr_raise_irq(data_irq[chip], high);
}

static void wire_wake(int chip, double t_us)
{
    avr_cycle_timer_register(avr, cycles_until(t_us), on_wake, &chips[chip]);
}

static void wire_watch_clock(int chip, double t_us)
{
    avr_cycle_timer_register(avr, cycles_until(t_us), on_clock_held, &chips[chip]);
}

static void wire_unwatch_clock(int chip)
{
    avr_cycle_timer_cancel(avr, on_clock_held, &chips[chip]);
}

static const struct chip_wires WIRES = {wire_data, wire_wake, wire_watch_clock, wire_unwatch_clock};

static void on_clock(avr_irq_t *irq, uint32_t high, void *chip)
{
    (void)irq;
    chip_clock(chip, high, board_us());
}

static void on_rate(avr_irq_t *irq, uint32_t fast, void *unused)
{
    (void)irq, (void)unused;
    for (int i = 0; i < chips_fitted; i++)
        chip_rate(&chips[i], fast, board_us());
}

/* ---- the serial line ---- */

static void on_sent(avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    line_put((uint8_t)byte);
    if (reset_in_bytes && --reset_in_bytes == 0)
        reset_wanted = true;
}

static void on_room(avr_irq_t *irq, uint32_t value, void *room)
{
    (void)irq, (void)value;
    uart_has_room = room != NULL;
}

static void feed_uart(void)
{
    uint8_t byte;
    line_pump();
    while (uart_has_room && line_get(&byte))
        avr_raise_irq(uart_in, byte);
}

static avr_irq_t *uart_irq(int which)
{
    return avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), which);
}

static void wire_uart(void)
{
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    uart_in = uart_irq(UART_IRQ_INPUT);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUTPUT), on_sent, NULL);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUT_XON), on_room, &uart_has_room);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUT_XOFF), on_room, NULL);
}

/* ---- the microcontroller ---- */

static void no_sleep(avr_t *mcu, avr_cycle_count_t cycles)
{
    (void)mcu, (void)cycles; /* pacing is main.c's */
}

static avr_irq_t *pin_irq(char port, int bit)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
}

static void wire_chips(FILE *truth)
{
    static const double OSCILLATORS[CHIPS_MAX] = {1.160, 1.131, 1.145, 1.118}; /* as measured on real modules */
    for (int i = 0; i < chips_fitted; i++) {
        chip_init(&chips[i], i, &WIRES, truth);
        chips[i].oscillator = OSCILLATORS[i];
        data_irq[i] = pin_irq(PORT_LETTER(DATA_PORT), DATA_BIT + i);
        avr_irq_register_notify(pin_irq(PORT_LETTER(CLOCK_PORT), CLOCK_BIT + i), on_clock, &chips[i]);
    }
    avr_irq_register_notify(pin_irq(PORT_LETTER(RATE_PORT), RATE_BIT), on_rate, NULL);
}

static void note_reset(avr_t *mcu)
{
    if (mcu_reset)
        mcu_reset(mcu);
    reset_cycle = mcu->cycle;
    was_reset = true;
}

/* A reset of simavr forgets timers and releases no pin. */
static void settle_reset(void)
{
    was_reset = false;
    if (avr->cycle < reset_cycle)
        extra_us += reset_cycle / CYCLES_PER_US;
    uart_has_room = true;
    memcpy(avr->flash + firmware.flashbase, firmware.flash, firmware.flashsize);
    driven.mask = 0;
    for (int i = 0; i < chips_fitted; i++) {
        chip_clock(&chips[i], false, board_us());
        chip_rearm(&chips[i]);
        chip_refresh(&chips[i]);
    }
}

bool board_init(const char *elf, int fitted, FILE *truth)
{
    if (elf_read_firmware(elf, &firmware))
        return false;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_NONE;
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = F_CPU_HZ;
    avr_load_firmware(avr, &firmware);
    avr->frequency = F_CPU_HZ;
    avr->sleep = no_sleep;
    mcu_reset = avr->reset;
    avr->reset = note_reset;
    for (uint8_t pin = 0; pin < 2; pin++) /* simavr would poll their level at every cycle */
        avr_extint_set_strict_lvl_trig(avr, pin, 0);
    chips_fitted = fitted;
    wire_uart();
    wire_chips(truth);
    board_power(true);
    return true;
}

void board_reset(enum reset cause)
{
    reset_in_bytes = 0;
    reset_wanted = false;
    avr_reset(avr);
    avr->data[MCUSR_AT] = (uint8_t)cause;
    settle_reset();
}

void board_reset_after(unsigned bytes)
{
    reset_in_bytes = bytes;
}

void board_power(bool on)
{
    powered = on;
    for (int i = 0; i < chips_fitted; i++)
        chip_power(&chips[i], on, board_us());
    if (on)
        board_reset(RESET_POWER_ON);
}

void board_hang(void)
{
    avr->flash[avr->pc] = RJMP_SELF & 0xFF;
    avr->flash[avr->pc + 1] = RJMP_SELF >> 8;
    avr->sreg[S_I] = 0;
    avr->state = cpu_Running;
}

static bool run_slice(double t_us)
{
    avr_cycle_count_t end = avr->cycle + cycles_until(t_us);
    while (avr->cycle < end && !reset_wanted && !was_reset) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
    }
    if (reset_wanted)
        board_reset(RESET_PIN);
    else if (was_reset)
        settle_reset();
    return true;
}

bool board_run_until(double t_us)
{
    while (board_us() < t_us) {
        if (!powered) {
            extra_us = t_us - avr->cycle / CYCLES_PER_US;
            break;
        }
        double slice_end = board_us() + SLICE_US;
        if (!run_slice(slice_end < t_us ? slice_end : t_us))
            return false;
        feed_uart();
    }
    line_pump();
    return true;
}
