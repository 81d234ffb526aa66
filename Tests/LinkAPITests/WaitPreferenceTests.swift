import Testing

@testable import LinkAPI

/// The field `Prefer` (RFC 7240).
@Suite struct WaitPreferenceTests {
    @Test(
        arguments: [
            ("wait=5", 5), ("wait=0", 0), ("WAIT = 07", 7), ("wait=10", 10), ("wait=11", 10),
            ("wait=99999999999999999999999999", 10), ("respond-async, wait=3", 3),
            ("wait=\"4\"", 4), ("wait=4; x=\"a,b\"", 4), ("return=minimal; wait=9, wait=2", 2),
            ("x=\"a, wait=9\", wait=2", 2), ("x=\"\\\", wait=9\", wait=2", 2),
            // The first one counts.
            ("wait=3, wait=5", 3), ("wait=3,wait=x", 3),
        ] as [(String, Int)])
    func `says how long a client waits`(_ field: String, _ seconds: Int) {
        #expect(WaitPreference(field)?.seconds == seconds)
    }

    @Test(
        arguments: [
            "", "wait", "wait=", "wait=x", "wait=-1", "wait=1.5", "wait=1s", "waits=1", "wait=\"1",
            "wait=x, wait=3", "await=3", ",", ";wait=3", "x=\"wait=3\"", "wait=١",
        ])
    func `that cannot be understood is no wish`(_ field: String) {
        #expect(WaitPreference(field) == nil)
    }
}
