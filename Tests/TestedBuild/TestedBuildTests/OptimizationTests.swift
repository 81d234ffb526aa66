import Testing

@Suite("The build of ./bootstrap test")
struct OptimizationTests {
    @Test func `leaves the tests unoptimized`() {
        var isChecked = false
        func check() -> Bool {
            isChecked = true
            return true
        }
        // The optimizer leaves it out.
        assert(check())
        #expect(isChecked)
    }
}
