import Foundation
import LinkAPI
import LinkStore
import Testing

/// What people and spreadsheets do to the cells of a table.
@Suite struct SpreadsheetTests {
    private static let upsert = [(name: "mode", value: "upsert")]

    @Test func blanksAroundNamesAndURLsAreNotTheirs() throws {
        let api = try TestAPI()
        let made = try api.importing(
            "collection,slug,destination,note\n"
                + "\u{202F}\u{2007} short,a ,\u{A0}\u{2007} https://www.example.com/2 ,\" a\"\n"
                + "short,b\u{A0}\u{2007}\u{202F},https://www.example.com/2\t,\"one\r\ntwo\rthree\"\n",
            type: "text/csv")
        #expect(counts(made) == [2, 0, 0, 0], "\(made)")
        let first = try #require(try api.store.link("short", slug: "a")?.content)
        #expect(first.destination == "https://www.example.com/2" && first.note == " a")
        let second = try #require(try api.store.link("short", slug: "b")?.content)
        #expect(second.destination == first.destination && second.note == "one\ntwo\nthree")
        let action = try api.importing(
            "collection,slug,destination,web.ios,app.data.t\n"
                + "short,w,https://www.example.com/,\" https://www.example.com/i\u{A0}\",\" t \"\n",
            type: "text/csv")
        #expect(counts(action) == [1, 0, 0, 0], "\(action)")
        // Data is for the app, which may want them.
        #expect(try api.exported().contains(#""t": " t ""#))
        let within = try api.importing(
            "collection,slug,destination\nshort,c d,https://www.example.com/\n", type: "text/csv")
        #expect(counts(within) == [0, 0, 0, 1])
        let blank = try api.importing(" \n , \n", type: "text/csv")
        #expect("\(blank[0])".contains("the content is empty"), "\(blank)")
    }

    @Test(arguments: [
        ("#NAME?", true), ("#REF!", true), ("#BEZUG!", true), ("1E+05", true), ("1,2E+11", true),
        ("Sale #1", false), ("E+05", false), ("1E5 sold", false), ("'1E+05", false),
    ])
    func whatASpreadsheetHasSpoiltIsSaid(title: String, isSaid: Bool) throws {
        let answer = try TestAPI().importing(
            "collection,slug,destination,page.title\n"
                + "short,a,https://www.example.com/,\"\(title)\"\n", type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        let warnings = answer[0]["warnings"] as? [[String: Any]] ?? []
        #expect(warnings.compactMap { $0["heading"] as? String } == (isSaid ? ["page.title"] : []))
    }

    @Test func theSlugOfALineIsFoundInAnyLetterCase() throws {
        let api = try TestAPI()
        _ = try api.importing(
            "collection,slug,destination\nshort,ed1,https://www.example.com/\n"
                + "exact,ed1,https://www.example.com/\n", type: "text/csv")
        let answer = try api.importing(
            "collection,slug,destination,note\nshort,ED1,https://www.example.com/,x\n"
                + "exact,ED1,https://www.example.com/,x\n", Self.upsert, type: "text/csv")
        #expect(counts(answer) == [1, 1, 0, 0], "\(answer)")
        #expect(try api.store.link("short", slug: "ed1")?.content.note == "x")
    }

    /// The second of two rows would overwrite the first in silence.
    @Test func oneLinkHasOneRow() throws {
        let api = try TestAPI()
        let made = try api.importing(
            "collection,slug,destination,externalId\nshort,a,https://www.example.com/1,x\n"
                + "short,b,https://www.example.com/2,\n", type: "text/csv")
        #expect(counts(made) == [2, 0, 0, 0], "\(made)")
        let answer = try api.importing(
            "collection,slug,externalId,note\nshort,a,,one\nshort,b,,two\n,,x,three\n"
                + "short,A,,four\nshort,c,,\n", Self.upsert, type: "text/csv")
        #expect(counts(answer) == [0, 2, 0, 3], "\(answer)")
        #expect("\(answer[2])".contains("the row in line 2 is of the same link"), "\(answer)")
        #expect("\(answer[3])".contains("the row in line 2 is of the same link"), "\(answer)")
        #expect(try api.store.link("short", slug: "a")?.content.note == "one")
        // Also of one that the table makes, in whichever letter case.
        let new = try api.importing(
            "collection,slug,destination\nshort,n,https://www.example.com/1\n"
                + "short,N,https://www.example.com/2\n", Self.upsert, type: "text/csv")
        #expect(counts(new) == [1, 0, 0, 1], "\(new)")
        // Lines of JSON are done like requests, one after the other.
        let lines = try api.importing(
            #"{"collection": "short", "slug": "a", "note": "five"}"# + "\n"
                + #"{"collection": "short", "slug": "a", "note": "six"}"#, Self.upsert)
        #expect(counts(lines) == [0, 2, 0, 0], "\(lines)")
    }

    @Test func membersThatAreTakenOutOfACellAreGone() throws {
        let api = try TestAPI()
        _ = try api.importing(
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "web": {"ios": "landing", "android": "store"}}"#
        )
        let answer = try api.importing(
            "collection,slug,web\nshort,a,\"{\"\"ios\"\": \"\"landing\"\"}\"\n", Self.upsert,
            type: "text/csv")
        #expect(counts(answer) == [0, 1, 0, 0], "\(answer)")
        #expect(try !api.exported().contains("android"))
    }
}
