#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "hal.h"
#include "hal_avr.h"
#include "module.h"
#include "uart.h"

#define RECEIVE_BYTES 16

/* Optiboot clears MCUSR and leaves what it was in r2. */
static uint8_t from_boot_loader __attribute__((section(".noinit")));

void keep_r2(void) __attribute__((naked, used, section(".init0")));
void keep_r2(void)
{
    __asm__ __volatile__("sts %0, r2" : "=m"(from_boot_loader));
}

static uint8_t reset_cause(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    return (cause ? cause : from_boot_loader) & (_BV(PORF) | _BV(EXTRF) | _BV(BORF) | _BV(WDRF));
}

/* A few bytes and one command at most: a flood from the Pi must not keep the chips waiting. */
static void receive_some(void)
{
    uint8_t byte = 1;
    uint32_t t_us;
    if (uart_lost())
        module_receive_lost();
    for (uint8_t n = 0; n < RECEIVE_BYTES && byte && uart_take(&byte, &t_us); n++)
        module_receive(byte, t_us);
}

static bool idle(uint8_t seen_ticks)
{
    return !(LINES_MOVED & 1) && !uart_waiting() && hal_avr_ticks() == seen_ticks;
}

/* Sleeps through interrupts that leave nothing to do, such as those of sending. SEI takes effect after the next
 * instruction: nothing can slip in between the question and the sleep. */
static void sleep_while_idle(uint8_t seen_ticks)
{
    cli();
    while (idle(seen_ticks)) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    sei();
}

int main(void)
{
    uint8_t cause = reset_cause();
    hal_avr_init();
    uart_init();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    module_init(cause);
    wdt_enable(WDTO_500MS);
    for (;;) {
        uint8_t ticks = hal_avr_ticks();
        wdt_reset();
        LINES_MOVED = 0;
        uint32_t begun_us = hal_micros();
        receive_some();
        module_pass();
        module_loop_took(hal_micros() - begun_us);
        sleep_while_idle(ticks);
    }
}
