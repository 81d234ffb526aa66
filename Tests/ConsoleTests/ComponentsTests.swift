@testable import Console
import Markup
import Testing

@Suite("The look of the console")
struct ComponentsTests {
    /// Text, or the edge of a field, on what is behind it, with the contrast that it needs at least (WCAG 2.2, 1.4.3 and 1.4.11).
    private static var pairs: [(front: String, back: String, least: Double)] {
        var pairs: [(front: String, back: String, least: Double)] = [
            ("on-accent", "accent", 4.5), ("text", "tint", 4.5), ("edge", "background", 3),
        ]
        for front in ["text", "muted", "accent", "bad", "good"] {
            for back in ["background", "surface"] { pairs.append((front, back, 4.5)) }
        }
        for part in ["accent", "edge", "s1", "s2", "s3", "s4", "s5"] {
            pairs.append((part, "surface", 3))
        }
        return pairs
    }

    private func luminance(_ colour: String) throws -> Double {
        let value = try #require(Int(colour.dropFirst(), radix: 16))
        #expect(colour.utf8.count == 7)
        func channel(_ shift: Int) -> Double {
            let part = Double(value >> shift & 255) / 255
            guard part > 0.04045 else { return part / 12.92 }
            // The power of 2.4 as the fifth root of the twelfth, by halves.
            let base = (part + 0.055) / 1.055
            let power = (1...12).reduce(1.0) { product, _ in product * base }
            var (low, high) = (0.0, 1.0)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                let fifth = middle * middle * middle * middle * middle
                if fifth < power { low = middle } else { high = middle }
            }
            return low
        }
        return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
    }

    @Test("text and edges are seen, light and dark", arguments: [true, false])
    func contrast(_ isDark: Bool) throws {
        let colours = Dictionary(
            uniqueKeysWithValues: ConsoleColour.all.map { colour in
                (colour.value.name, isDark ? colour.value.dark : colour.value.light)
            })
        for (front, back, least) in Self.pairs {
            let both = [
                try luminance(try #require(colours[front])),
                try luminance(try #require(colours[back])),
            ].sorted()
            let contrast = (both[1] + 0.05) / (both[0] + 0.05)
            #expect(contrast >= least, "\(front) on \(back): \(contrast)")
        }
    }

    @Test func `each colour of a style is one that the page of components shows`() throws {
        let style = String(decoding: ConsoleStyle.bytes, as: UTF8.self)
        let known = Set(ConsoleColour.all.map(\.value.name)).union(["radius", "font"])
        for use in style.matches(of: /var\(--([a-z0-9-]+)\)/) {
            #expect(known.contains(String(use.1)), "\(use.1)")
        }
        for name in known { #expect(style.contains("--\(name):"), "\(name)") }
        // A colour without a name is a shadow, or the paper of a code or of a page of elsewhere.
        let rules = try #require(style.split(separator: "*{", maxSplits: 1).last)
        let bare = Set(rules.matches(of: /#[0-9a-f]{3,8}\b/).map { String($0.0) })
        #expect(bare == ["#0003", "#fff"])
    }

    @Test func `distances are few`() {
        let style = String(decoding: ConsoleStyle.bytes, as: UTF8.self)
        let known = Set(ComponentsPage.gaps.map { Double($0) / 16 })
        for gap in style.matches(of: /[;{]gap:([^;}]+)/) {
            for part in gap.1.split(whereSeparator: \.isWhitespace) where part != "0" {
                let size = Double((part.hasPrefix(".") ? "0" : "") + part.dropLast(3))
                #expect(part.hasSuffix("rem") && size.map(known.contains) == true, "\(gap.1)")
            }
        }
    }

    @Test("every component is there, for every role", arguments: ConsoleRole.allCases)
    func components(_ role: ConsoleRole) throws {
        let console = try TestConsole()
        let json =
            #"{"collection": "short", "slug": "a", "destination": "https://www.example.com/"}"#
        let empty = console.get("help/components", as: role)
        #expect(empty.text.contains(ConsoleText.noLinkForCode.en))
        let id = try console.make(json)
        let answer = console.get("help/components", as: role)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(page.hrefs.contains("/console/links/\(id)/code.svg"))
        for colour in ConsoleColour.all {
            #expect(page.text.contains("\(colour.value.light) · \(colour.value.dark)"))
        }
        for name in ["errors", "warnings", "success", "empty", "paging", "chart", "legend"] {
            #expect(answer.text.contains("class=\"\(name)\""), "\(name)")
        }
        // The script leads to messages of forms, and these are samples.
        #expect(answer.text.contains(" data-still"))
        #expect(!console.get("help", as: role).text.contains(" data-still"))
        // Its buttons do nothing.
        #expect(console.post("help/components", [("id", id)], as: role).status == 200)
    }

    /// The check itself: each of these pages has one fault.
    @Test(
        "what is lost for people who hear a page is found",
        arguments: [
            "<h1>a</h1><h3>b</h3>", "<h2>a</h2>", "<input id=\"a\">", "<a href=\"#a\">a</a>",
            "<table><tbody></tbody></table>", "<button></button>", "<nav></nav>",
            "<img src=\"a\">", "<svg></svg>", "<th>a</th>", "<iframe></iframe>",
            "<p tabindex=\"1\">a</p>", "<p aria-invalid=\"true\">a</p>", "<main></main>",
            "<div role=\"region\">a</div>", "<select></select>",
        ])
    func found(_ markup: String) {
        func faults(_ markup: String) -> [String] {
            AccessCheck(Array("<html lang=\"en\"><main>\(markup)</main></html>".utf8)).faults
        }
        #expect(faults(markup).count == 1, "\(faults(markup))")
        #expect(faults("<h1>a</h1><label>b <input></label><button hidden></button>") == [])
    }
}
