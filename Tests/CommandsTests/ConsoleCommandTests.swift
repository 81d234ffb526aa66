import Foundation
import Testing

@Suite("waymark console")
struct ConsoleCommandTests {
    @Test func `a person gets in, is listed, and is removed`() throws {
        let site = try StoreSite()
        let made = try site.run(
            "console", "login", "Anna@example.com", "--role", "editor", "--collection", "short")
        let link = try #require(
            made.output.wholeMatch(
                of: /http:\/\/127\.0\.0\.1:[0-9]+\/console\/sign-in\/[A-Za-z0-9_-]{43}\n/),
            "\(made)")
        #expect(
            made.messages.hasPrefix(
                "added anna@example.com, editor of short: the link is for one sign-in, until 20"),
            "\(made)")
        let again = try site.run("console", "login", "anna@example.com", "--local")
        #expect(again.status == 0 && again.output != String(link.output), "\(again)")
        #expect(again.messages.hasPrefix("anna@example.com, editor of short: "), "\(again)")
        let table = try site.run("console", "people").output.split(separator: "\n")
        #expect(table.count == 2 && table[0].hasPrefix("NAME              ROLE    COLLECTIONS  "))
        #expect(table[1].hasPrefix("anna@example.com  editor  short        0"), "\(table)")
        let json = try site.object(site.run("console", "people", "--format", "json"))
        #expect(json["role"] as? String == "editor" && json["sessions"] as? Int == 0)
        #expect(try site.run("console", "remove", "ANNA@example.com").status == 0)
        let gone = try site.run("console", "remove", "anna@example.com")
        #expect(
            gone.status == 1
                && gone.messages.hasPrefix(
                    "waymark: error: there is no person \"anna@example.com\"\n"),
            "\(gone)")
        #expect(try site.run("console", "people", "--format", "json").output.isEmpty)
    }

    @Test func `what cannot be is said at its place`() throws {
        let site = try StoreSite()
        let refusals = [
            (["a/b"], "name: error: \"a/b\" is no name of a person [wrong-value]\n"),
            (["local"], "name: error: the audit has \"local\""),
            (["anna", "--role", "owner"], "--role: error: "),
            (["anna", "--collection", "shart"], "--collection: error: there is no collection"),
        ]
        for (arguments, words) in refusals {
            let outcome = try Program.run(
                ["console", "login"] + arguments + site.admin, in: site.directory)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.messages.hasPrefix(words), "\(outcome)")
        }
        for name in ["a/b", "..", "", "%00"] {
            #expect(try site.run("console", "remove", name).status != 0, "\(name)")
        }
        #expect(try site.run("console", "people", "--format", "json").output.isEmpty)
    }
}
