"""Scale modules under the boards, over USB serial: what they say, the driver, and a simulated twin."""
