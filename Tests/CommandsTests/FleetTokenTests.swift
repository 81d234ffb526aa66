import Foundation
import Testing

@Suite("The token of a node whose store is a database")
struct FleetTokenTests {
    @Test(arguments: [
        ("links.db", "    start the origin, which writes it, or set WAYMARK_TOKEN\n"),
        (
            "postgresql://waymark@127.0.0.1:1/waymark",
            "    start the origin, which writes it into the directory of its --state, as a service "
                + "/var/lib/waymark/dev; give that file with --token-file, or set WAYMARK_TOKEN\n"
        ),
    ])
    func `a message says where it is`(store: String, cure: String) throws {
        try withConfiguration(smallestConfiguration + "    store: \"\(store)\"\n") { path in
            let outcome = try Program.run("nodes", "--config", path, "--env", "dev")
            #expect(outcome.status == 77)
            #expect(outcome.messages.hasSuffix(cure), "\(outcome.messages)")
        }
    }
}
