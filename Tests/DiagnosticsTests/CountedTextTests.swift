import Diagnostics
import Testing

@Suite("What is counted")
struct CountedTextTests {
    @Test(
        "one is said in the singular",
        arguments: [
            (0, "0 lines", "0 lines were lost"), (1, "1 line", "1 line was lost"),
            (2, "2 lines", "2 lines were lost"), (21, "21 lines", "21 lines were lost"),
        ])
    func counts(_ count: Int, _ text: String, _ sentence: String) {
        #expect(counted(count, "line") == text)
        #expect(counted(count, "line", was: "lost") == sentence)
    }
}
