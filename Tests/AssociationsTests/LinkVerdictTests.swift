import Associations
import Testing

@Suite("Verdicts of files built in code and of published ones")
struct LinkVerdictTests {
    let app: AppIdentifier
    let other: AppIdentifier
    let file: AssociationFile

    init() throws {
        app = try AppIdentifier("ABCDE12345.com.example.app")
        other = try AppIdentifier("ABCDE12345.com.example.other")
        file = AssociationFile(
            applinks: AppLinks(
                details: [
                    Detail(
                        appIDs: [app],
                        components: [
                            Component(path: "/cars/archive/*", exclude: true),
                            Component(path: "/cars/$(id)", percentEncoded: true),
                            Component(path: "/Exact", caseSensitive: true),
                        ],
                        defaults: ComponentDefaults(caseSensitive: false)),
                    Detail(
                        appIDs: [app, other], components: [Component(path: "/late/*")],
                        defaults: ComponentDefaults(percentEncoded: true)),
                ],
                defaults: ComponentDefaults(percentEncoded: false),
                substitutionVariables: [SubstitutionVariable(name: "id", values: ["??"])]))
    }

    @Test(
        "the file's own rules decide, with defaults from the nearest level",
        arguments: [
            ("https://example.com/CARS/42", LinkVerdict.Outcome.opens, "components/1"),
            ("https://example.com/cars/archive/1", .excluded, "components/0"),
            ("https://example.com/cars/archiv%65/1", .excluded, "components/0"),
            ("https://example.com/car%73/42", .none, nil),
            ("https://example.com/exact", .none, nil),
            ("https://example.com/Exact", .opens, "components/2"),
        ] as [(String, LinkVerdict.Outcome, String?)])
    func decides(_ url: String, _ outcome: LinkVerdict.Outcome, _ rule: String?) {
        let verdict = file.verdict(for: url, app: app)
        #expect(verdict.outcome == outcome, "\(verdict)")
        #expect(verdict.rule == rule.map { "/applinks/details/0/\($0)" })
        #expect(verdict.opensApp == (outcome == .opens))
    }

    @Test func `a second entry of an app does not count`() {
        let url = "https://example.com/late/1"
        #expect(!file.verdict(for: url, app: app).opensApp)
        #expect(file.verdict(for: url, app: other).rule == "/applinks/details/1/components/0")
        #expect(!file.verdict(for: "https://example.com/lat%65/1", app: other).opensApp)
    }

    @Test func `the reason says what the file lacks, or what is wrong with the link`() throws {
        let stranger = try AppIdentifier("ABCDE12345.com.example.stranger")
        #expect(
            file.verdict(for: "https://example.com/", app: stranger).reason
                == "stays in the browser: the file does not list the app \(stranger)")
        #expect(
            file.verdict(for: "example.com", app: app).reason
                == "stays in the browser: a link must begin with https:// or http://")
        #expect(AssociationFile().verdict(for: "https://h/", app: app).outcome == .none)
    }

    @Test(
        "the file says the same once it is published",
        arguments: [
            "https://example.com/CARS/42", "https://example.com/cars/archive/1",
            "https://example.com/late/1", "https://example.com/both/1", "https://example.com/no",
            "example.com",
        ])
    func agrees(_ url: String) throws {
        var file = file
        file.applinks?.details[0].components.append(Component(path: "/both/*"))
        file.applinks?.details[1].components.append(Component(path: "/both/*"))
        let published = try PublishedAssociationFile(file.serialized())
        for app in [app, other] {
            let built = file.verdict(for: url, app: app)
            let read = published.verdict(for: url, app: app.description)
            #expect(built.outcome == read.outcome)
            #expect(built.rule == read.rule)
            #expect(built.caveats == read.caveats)
        }
    }
}
