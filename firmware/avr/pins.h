/* Made from hardware/pinmap.toml by `make pins`. */
#ifndef PINS_H
#define PINS_H

#define PIN_CHANNELS 4
#define DATA_PORT C
#define DATA_BIT 0 /* of channel 0; the others follow */
#define CLOCK_PORT B
#define CLOCK_BIT 0 /* of channel 0; the others follow */
#define RATE_PORT B
#define RATE_BIT 4
#define DATA_PCINT 1 /* the port's pin change interrupt */

#endif
