#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "hal.h"

#define BAUD 500000ul
#define TX_BYTES 256 /* 8-bit indices wrap by themselves */
#define RX_BYTES 64

static uint8_t tx[TX_BYTES];
static volatile uint8_t tx_head, tx_tail;
static uint8_t rx[RX_BYTES];
static volatile uint8_t rx_head, rx_tail;
static volatile bool rx_lost;
static volatile uint32_t delimiter_us;

void uart_init(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = F_CPU / (8 * BAUD) - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

uint8_t hal_send_room(void)
{
    return (uint8_t)(tx_tail - tx_head - 1);
}

void hal_send(const uint8_t *bytes, uint8_t n)
{
    uint8_t head = tx_head;
    while (n--)
        tx[head++] = *bytes++;
    tx_head = head;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { UCSR0B |= _BV(UDRIE0); }
}

ISR(USART_UDRE_vect)
{
    uint8_t tail = tx_tail;
    UDR0 = tx[tail++];
    tx_tail = tail;
    if (tail == tx_head)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A, byte = UDR0, next = (rx_head + 1) % RX_BYTES;
    if (status & (_BV(FE0) | _BV(DOR0)))
        rx_lost = true;
    if (byte == 0)
        delimiter_us = hal_micros();
    if (next == rx_tail) {
        rx_lost = true;
        return;
    }
    rx[rx_head] = byte;
    rx_head = next;
}

bool uart_waiting(void)
{
    return rx_head != rx_tail;
}

bool uart_take(uint8_t *byte, uint32_t *t_us)
{
    if (!uart_waiting())
        return false;
    *byte = rx[rx_tail];
    rx_tail = (rx_tail + 1) % RX_BYTES;
    if (*byte == 0) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { *t_us = delimiter_us; }
    } else {
        *t_us = hal_micros();
    }
    return true;
}

bool uart_lost(void)
{
    bool lost = rx_lost;
    rx_lost = false;
    return lost;
}
