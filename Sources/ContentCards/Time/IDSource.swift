import Foundation

/// Makes the ids of events and of the device.
public protocol IDSource: Sendable {
    /// Returns a new id: a lowercase UUID that this source never returned before.
    func next() -> String
}

/// Makes version 7 UUIDs, which sort by the time of their making, also within a millisecond and when the clock
/// is set back.
public final class UUIDv7Source: IDSource {
    private struct Last {
        var milliseconds: UInt64 = 0
        var counter: UInt16 = 0

        /// Moves to a time, or counts up where time stands still or goes back; a full counter borrows a millisecond.
        mutating func advance(to milliseconds: UInt64) {
            if milliseconds > self.milliseconds {
                self.milliseconds = milliseconds & 0xFFFF_FFFF_FFFF
                counter = UInt16.random(in: 0..<0x400)
            } else if counter < 0xFFF {
                // safe: it was less than its bound
                counter += 1
            } else {
                self.milliseconds += 1
                counter = 0
            }
        }
    }

    private let clock: any ContentCardsClock
    private let last = Locked(Last())

    /// Creates a source that takes the time from `clock`.
    public init(clock: any ContentCardsClock = SystemClock()) {
        self.clock = clock
    }

    /// Returns a new version 7 UUID in lowercase.
    public func next() -> String {
        let milliseconds = clock.now.unixMilliseconds
        let stamp = last.withLock { last in
            last.advance(to: milliseconds)
            return last
        }
        let high = stamp.milliseconds << 16 | 0x7000 | UInt64(stamp.counter)
        let low = UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return Self.text(high, low)
    }

    // safe: a UUID has 36 characters, of which 32 are digits below 16
    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = nibble < 16 ? high : low
                buffer[position] = digits[Int(word >> (60 - UInt64(nibble % 16) * 4) & 0xF)]
                position += 1
            }
            return position
        }
    }
}

extension Date {
    /// Whole milliseconds since 1970 in the 48 bits of an id; 0 for what is before, and a clock may show any time.
    var unixMilliseconds: UInt64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        return milliseconds > 0 ? UInt64(exactly: min(milliseconds, 2.8e14)) ?? 0 : 0
    }
}
