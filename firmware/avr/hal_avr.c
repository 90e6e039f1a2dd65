/* hal.h on an ATmega328P at 16 MHz: clock, chips and EEPROM. The serial line is in uart.c. */
#include "hal_avr.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "hal.h"
#include "pins.h"
#include "protocol.h"

#if PIN_CHANNELS != CHANNELS
#error "hardware/pinmap.toml and PROTOCOL.md differ in the number of channels"
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define DATA_PIN JOIN(PIN, DATA_PORT)
#define DATA_OUT JOIN(PORT, DATA_PORT)
#define CLOCK_OUT JOIN(PORT, CLOCK_PORT)
#define CLOCK_DDR JOIN(DDR, CLOCK_PORT)
#define RATE_OUT JOIN(PORT, RATE_PORT)
#define RATE_DDR JOIN(DDR, RATE_PORT)
#define VECTOR2(number) PCINT##number##_vect
#define VECTOR(number) VECTOR2(number)
#define LINES_VECTOR VECTOR(DATA_PCINT)
#define LINES_MASK JOIN(PCMSK, DATA_PCINT)
#define DATA_MASK (ALL_CHANNELS << DATA_BIT)
#define CLOCK_MASK (ALL_CHANNELS << CLOCK_BIT)

#define PULSE_US 1 /* the chip asks for 0.2 to 50, and answers within 0.1 */
#define TICK_COUNTS 250 /* of clk/256: 4 ms */

static volatile uint16_t overflows; /* of the 2 MHz clock's 16 bits */
static volatile uint8_t ticks;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

/* A flag and not a variable: it must not be lost between a look at it and going to sleep. */
ISR(LINES_VECTOR, ISR_NAKED)
{
    __asm__ __volatile__("sbi %0, 0\n\treti" ::"I"(_SFR_IO_ADDR(GPIOR0)));
}

static void start_clock(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11);
    TIMSK1 = _BV(TOIE1);
}

static void start_ticks(void)
{
    TCCR0A = _BV(WGM01);
    OCR0A = TICK_COUNTS - 1;
    TCCR0B = _BV(CS02);
    TIMSK0 = _BV(OCIE0A);
}

/* Pull-ups on the data lines: an absent chip reads as not ready. */
static void start_lines(void)
{
    DATA_OUT |= DATA_MASK;
    CLOCK_DDR |= CLOCK_MASK;
    RATE_DDR |= _BV(RATE_BIT);
    LINES_MASK = DATA_MASK;
    PCICR = _BV(DATA_PCINT);
}

void hal_avr_init(void)
{
    ACSR = _BV(ACD);
    start_lines();
    start_clock();
    start_ticks();
}

uint8_t hal_avr_ticks(void)
{
    return ticks;
}

/* 33 bits of half microseconds, so that it wraps at a whole 2^32. */
uint32_t hal_micros(void)
{
    static uint8_t wrapped;
    static uint16_t last_high;
    uint16_t low, high;
    uint8_t top;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        low = TCNT1;
        high = overflows;
        if (TIFR1 & _BV(TOV1) && low < 0x8000u)
            high++;
        if (high < last_high)
            wrapped++;
        last_high = high;
        top = wrapped;
    }
    uint32_t micros = ((uint32_t)high << 16 | low) >> 1;
    return top & 1u ? micros | 0x80000000ul : micros;
}

uint8_t hal_data_lines(void)
{
    return (DATA_PIN >> DATA_BIT) & ALL_CHANNELS;
}

uint8_t hal_pulse(uint8_t channels)
{
    uint8_t lines = (uint8_t)(channels << CLOCK_BIT), seen;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        CLOCK_OUT |= lines;
        _delay_us(PULSE_US);
        seen = DATA_PIN;
        CLOCK_OUT &= (uint8_t)~lines;
    }
    return (seen >> DATA_BIT) & ALL_CHANNELS;
}

void hal_hold(uint8_t channels, bool high)
{
    uint8_t lines = (uint8_t)(channels << CLOCK_BIT);
    if (high)
        CLOCK_OUT |= lines;
    else
        CLOCK_OUT &= (uint8_t)~lines;
}

void hal_rate(bool fast)
{
    if (fast)
        RATE_OUT |= _BV(RATE_BIT);
    else
        RATE_OUT &= (uint8_t)~_BV(RATE_BIT);
}

bool hal_store_busy(void)
{
    return !eeprom_is_ready();
}

uint8_t hal_store_read(uint8_t at)
{
    return eeprom_read_byte((const uint8_t *)(uint16_t)at);
}

void hal_store_write(uint8_t at, uint8_t value)
{
    eeprom_write_byte((uint8_t *)(uint16_t)at, value);
}
