private import CLinux
internal import Glibc

/// The time; reading it makes no system call.
package enum Clock {
    /// Milliseconds of a clock that never goes back.
    package static var monotonicMilliseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Microseconds of the same clock, to measure how long something took.
    package static var monotonicMicroseconds: Int { Int(waymark_monotonic_microseconds()) }

    /// Milliseconds since 1970, up to the end of the year 9999.
    package static var unixMilliseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return written(time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// A time of a clock that can be written: a year has four digits (RFC 3339 §1), and what was written
    /// otherwise could not be read again.
    static func written(_ milliseconds: Int) -> Int {
        min(max(milliseconds, 0), 253_402_300_799_999)
    }

    /// Seconds since 1970.
    package static var unixSeconds: Int { unixMilliseconds / 1000 }

    /// Microseconds since 1970, for timestamps.
    package static var unixMicroseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
