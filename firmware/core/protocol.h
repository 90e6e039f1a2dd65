/* The numbers of PROTOCOL.md. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0

#ifndef BUILD_HASH
#define BUILD_HASH 0
#endif

#define CHANNELS 4
#define ALL_CHANNELS ((1u << CHANNELS) - 1u)
#define ID_BYTES 12
#define TICK_HZ 1000000ul

#define RAW_MAX_BYTES 58     /* type, seq, payload and crc of the longest frame */
#define COMMAND_MAX_BYTES 40 /* the same for the longest frame from the Pi */
#define FRAME_OVERHEAD_BYTES 5
#define PAYLOAD_MAX_BYTES (RAW_MAX_BYTES - FRAME_OVERHEAD_BYTES)

enum frame_type {
    SAMPLE = 0x01,
    STATUS = 0x02,
    HELLO = 0x03,
    BOOT = 0x04,
    PONG = 0x05,
    ACK = 0x06,
    ASK_HELLO = 0x81,
    PING = 0x82,
    STREAM = 0x83,
    SET_RATE = 0x84,
    SET_GAIN = 0x85,
    SET_ID = 0x86,
    SET_CHANNELS = 0x87,
    TEXT = 0x88,
    CLEAR = 0x89,
};

enum result { DONE = 0, UNKNOWN_COMMAND = 1, WRONG_VALUE = 2, CANNOT = 3 };

enum flag { TIMEOUT = 1, SATURATED = 2, SETTLING = 4, DESYNC = 8 };

enum state { STATE_STREAMING = 1 };

enum can { CAN_SET_RATE = 1, CAN_SET_GAIN = 2 };

#endif
