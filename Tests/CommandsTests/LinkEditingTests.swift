import Foundation
import Testing

/// What the commands take away from links, and how they show lists of texts.
@Suite struct LinkEditingTests {
    @Test func `an empty title takes the page away, and a destination beside it is kept`() throws {
        let site = try StoreSite()
        _ = try site.create(
            "https://www.example.com/1", "--collection", "short", "--slug", "tt", "--title", "A")
        let edited = try site.run(
            "links", "edit", "short/tt", "https://www.example.com/2", "--title", "", "--format",
            "json")
        #expect(edited.status == 0, "\(edited)")
        let link = try site.object(edited)
        #expect(
            link["page"] == nil && link["destination"] as? String == "https://www.example.com/2")
        _ = try site.run("links", "edit", "short/tt", "--title", "A", "--description", "B")
        let kept = try site.run("links", "edit", "short/tt", "--title", "")
        #expect(kept.output.contains("page.description"), "\(kept)")
        let emptied = try site.run(
            "links", "edit", "short/tt", "--json", "-", input: #"{"page": {"description": null}}"#)
        #expect(emptied.status == 0 && !emptied.output.contains("page."), "\(emptied)")
    }

    @Test(arguments: ["--from", "--until", "--note"])
    func `an empty value takes a member away`(option: String) throws {
        let site = try StoreSite()
        let value = option == "--note" ? "A" : "2030-01-01T00:00:00Z"
        let made = try site.create(
            "https://www.example.com/1", "--collection", "short", "--slug", "t", option, value)
        let member = String(option.dropFirst(2))
        #expect(try site.run("links", "show", "short/t").output.contains("\n\(member) "), "\(made)")
        let edited = try site.run("links", "edit", "short/t", option, "")
        #expect(edited.status == 0 && !edited.output.contains("\n\(member) "), "\(edited)")
    }

    @Test func `a tag with a comma is told from two, and one that is given twice is kept once`()
        throws
    {
        let site = try StoreSite()
        _ = try site.create(
            "https://www.example.com/1", "--collection", "short", "--slug", "t", "--tag", "mail",
            "--tag", "one, two", "--tag", "mail")
        let shown = try site.run("links", "show", "short/t").output
        #expect(shown.contains("  mail, \"one, two\"\n"), "\(shown)")
        let listed = try site.run("links", "list").output
        #expect(listed.contains("mail, \"one, two\""), "\(listed)")
    }

    @Test func `a URL that cannot be fetched is checked at its own port`() throws {
        let outcome = try Program.run(["lint", "https://127.0.0.1:1/"])
        #expect(outcome.status != 0)
        #expect(outcome.messages.contains("waymark check 127.0.0.1:1 says"), "\(outcome)")
        #expect(outcome.messages.contains("it cannot be fetched from 127.0.0.1:1: "), "\(outcome)")
    }
}
