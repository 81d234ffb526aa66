import Glibc

/// Seconds after which a test gives up. It is no measure of anything: a machine that is busy with
/// other work may take most of it, and a test that passes takes none of it.
package let safetyNetSeconds = 360

/// Asks again and again until something is so, and says whether it ever was.
package func waits(_ fact: () throws -> Bool) rethrows -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let end = time.tv_sec + safetyNetSeconds
    while time.tv_sec < end {
        if try fact() { return true }
        usleep(2_000)
        clock_gettime(CLOCK_MONOTONIC, &time)
    }
    return try fact()
}

/// Waits until something is so.
/// - Throws: if it never was.
package func wait(until fact: () throws -> Bool) throws {
    guard try waits(fact) else { throw NeverSo() }
}

/// What a test has waited for has not come.
package struct NeverSo: Error {}
