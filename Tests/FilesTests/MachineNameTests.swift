import Files
import Foundation
import Testing

@Suite("The name of a machine")
struct MachineNameTests {
    @Test func `it is the host name`() throws {
        let text = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        let hostName = text.split(separator: "\n").first.map(String.init) ?? ""
        #expect(machineName() == machineName(from: Array(hostName.utf8)))
    }

    @Test(
        "a host name has any bytes, and a name only those that every list and log can show",
        arguments: [
            ("web1", "web1"), ("Web_1.example.com", "Web_1.example.com"),
            ("0a1b2c3d4e5f", "0a1b2c3d4e5f"), ("web 1", "web-1"), ("web\u{1B}[31m1", "web--31m1"),
            ("wéb", "w--b"), ("-a-", "-a-"), ("a/b@c[d`e{f", "a-b-c-d-e-f"),
            (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
            // Nothing by which somebody could tell it from another.
            ("", nil), ("(none)", nil), ("-", nil), ("ÄÖÜ", nil), ("...", nil),
            ("none", "none"),
        ] as [(String, String?)])
    func names(hostName: String, name: String?) {
        #expect(machineName(from: Array(hostName.utf8)) == name)
    }
}
