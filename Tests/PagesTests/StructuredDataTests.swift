import Diagnostics
import Foundation
import Pages
import SiteConfiguration
import Testing

@Suite("Structured data (JSON-LD 1.1, schema.org)")
struct StructuredDataTests {
    /// The nodes of the one graph, as another reader of JSON has them.
    private func graph(_ model: PageModel) throws -> [[String: Any]] {
        let scripts = statements(HeadMarkup(model).bytes).filter { $0.hasPrefix("script = ") }
        guard let script = scripts.first else { return [] }
        #expect(scripts.count == 1)
        let data = Data(script.dropFirst("script = ".count).utf8)
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(document?["@context"] as? String == "https://schema.org")
        return try #require(document?["@graph"] as? [[String: Any]])
    }

    @Test func `a full model makes a node of each kind`() throws {
        let nodes = try graph(fullModel())
        #expect(
            nodes.map { $0["@type"] as? String } == [
                "MobileApplication", "VideoObject", "Restaurant", "BreadcrumbList", "Organization",
            ])
        #expect(nodes[0]["operatingSystem"] as? [String] == ["iOS", "Android"])
        #expect(
            nodes[0]["installUrl"] as? [String] == [
                "https://apps.apple.com/app/id412366298",
                "https://play.google.com/store/apps/details?id=com.e.shop",
            ])
        #expect(nodes[1]["thumbnailUrl"] as? String == "https://e.com/i.jpg")
        #expect(nodes[1]["width"] as? Int == 1280)
        #expect(nodes[2]["name"] as? String == "A title")
        let steps = try #require(nodes[3]["itemListElement"] as? [[String: Any]])
        #expect(steps.map { $0["position"] as? Int } == [1, 2])
        #expect(steps.map { $0["item"] as? String } == ["https://e.com/", nil])
        #expect(nodes[4]["sameAs"] as? String == "https://social.example/shop")
    }

    @Test func `a model with nothing to structure has no script`() throws {
        #expect(try graph(PageModel(title: "T", url: "https://e.com/")).isEmpty)
    }

    static let restaurant = JSONText.object([
        ("@context", .string("https://schema.org")), ("@type", .string("Restaurant")),
        ("name", .string("Zum </script> \u{2028}")), ("telephone", .string("+43 1 234")),
        (
            "address",
            .object([
                ("@type", .string("PostalAddress")), ("postalCode", .string("1010")),
            ])
        ),
        (
            "geo",
            .object([
                ("@type", .string("GeoCoordinates")), ("latitude", .numeral("48.20849")),
                ("longitude", .numeral("016.37208")),
            ])
        ), ("hasMap", .null), ("isAccessibleForFree", .boolean(true)),
        ("servesCuisine", .array([.string("Austrian"), .string("<b>")])),
    ])

    private func model(_ schema: JSONText) -> PageModel {
        var model = PageModel(title: "T", url: "https://e.com/")
        model.schema = .whole(schema)
        return model
    }

    @Test func `a node of the operator's own goes in as it is`() throws {
        let node = try #require(try graph(model(Self.restaurant)).first)
        #expect(node["@context"] == nil)
        #expect(node["name"] as? String == "Zum </script> \u{2028}")
        let geo = try #require(node["geo"] as? [String: Any])
        #expect(geo["latitude"] as? Double == 48.20849)
        // No number of JSON: what it says stays what it says.
        #expect(geo["longitude"] as? String == "016.37208")
        #expect(node["hasMap"] is NSNull)
        #expect(node["isAccessibleForFree"] as? Bool == true)
        #expect(node["servesCuisine"] as? [String] == ["Austrian", "<b>"])
    }

    @Test func `several nodes, and those of a document, join the graph`() throws {
        let second = JSONText.object([("@type", .string("WebSite"))])
        let list = JSONText.array([Self.restaurant, second])
        #expect(try graph(model(list)).count == 2)
        #expect(try graph(model(.object([("@graph", list)]))).count == 2)
    }

    @Test(
        "a number is written as one where JSON has it",
        arguments: [
            ("0", true), ("-1", true), ("10.50", true), ("1e9", true), ("1E-9", true),
            ("01", false),
            ("1.", false), (".5", false), ("+1", false), ("-", false), ("", false), ("1e", false),
            ("NaN", false), ("1,5", false), ("1 ", false), ("</script>", false),
        ])
    func numbers(_ text: String, _ isNumber: Bool) throws {
        let node = JSONText.object([("a", .numeral(text)), ("@type", .string("A"))])
        let value = try #require(try graph(model(node)).first?["a"])
        #expect((value is NSNumber) == isNumber)
        if !isNumber { #expect(value as? String == text) }
    }
}
