import Glibc

/// Seconds after which a test gives up. It is no measure of anything: a machine that is busy with
/// other work may take most of it, and a test that passes takes none of it.
package let safetyNetSeconds = 360

/// Asks again and again until something is so, and says whether it ever was. Four fifths of the time it sleeps:
/// questions that start programs would keep a processor from what they wait for.
package func waits(_ fact: () throws -> Bool) rethrows -> Bool {
    let begun = ContinuousClock.now
    var asked = begun
    while asked - begun < .seconds(safetyNetSeconds) {
        if try fact() { return true }
        let answered = ContinuousClock.now
        usleep(UInt32(max(2_000, 4 * ((answered - asked) / .microseconds(1)))))
        asked = .now
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
