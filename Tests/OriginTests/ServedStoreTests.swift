import Diagnostics
import Files
import PostgreSQL
import Services
import Testing

@testable import SiteConfiguration

@Suite("The store that a process serves")
struct ServedStoreTests {
    private func node() throws -> String {
        let position = SourcePosition(file: "w.yaml", line: 1, column: 1)
        let database = DatabaseReference(
            location: try PostgreSQLLocation("postgresql://waymark@127.0.0.1/waymark"),
            password: nil, secrets: [], position: position)
        return try #require(ServedStore(.database(database), own: "/").node)
    }

    @Test func `a node has the name of its machine, and the number of its life`() throws {
        let name = try node()
        let number = try #require(name.split(separator: ".").last)
        #expect(UInt32(number) != nil)
        #expect(name == "\(machineName() ?? "node").\(number)")
        // A reload names it again.
        #expect(try node() == name)
    }

    @Test func `two processes of a machine are two nodes`() {
        #expect(ServedStore.nodeName(machine: "web1.example.com", life: 7) == "web1.example.com.7")
        #expect(ServedStore.nodeName(machine: "web1.example.com", life: 8) == "web1.example.com.8")
        #expect(ServedStore.nodeName(machine: nil, life: 8) == "node.8")
    }
}
