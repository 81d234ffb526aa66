import TestSupport
import Testing

@testable import AppFiles

@Suite("Aliases of activities")
struct AliasTests {
    private static let space = "xmlns:a='http://schemas.android.com/apk/res/android'"

    private func faults(
        _ activities: String, _ kind: AndroidDeclaration.Kind, _ attributes: String = ""
    ) throws -> [String] {
        let text =
            "<manifest \(Self.space) \(attributes)><application>\(activities)</application></manifest>"
        let app = try AndroidDeclaration(XMLReader.read(Array(text.utf8)), kind: kind)
        return app.lostAliases.map { alias in
            switch alias.fault {
            case .unnamed: "\(alias.name) unnamed"
            case .missing(let target): "\(alias.name) missing \(target)"
            case .behind(let target): "\(alias.name) behind \(target)"
            }
        }
    }

    private static let main = "<activity a:name='.Main'/>"
    private static let links = "<activity-alias a:name='.L' a:targetActivity='.Main'/>"

    /// Activities of a binary manifest of the package `x.y`, and the aliases that Android refuses.
    static let binary: [(activities: String, faults: [String])] = [
        (main + links, []), (main + "<activity-alias a:name='.L'/>", [".L unnamed"]),
        (links, [".L missing .Main"]), (links + main, [".L behind .Main"]),
        ("<activity a:name='x.y.Main'/>" + links, []),
        ("<activity a:name='x.z.Main'/>" + links, [".L missing .Main"]),
        (main + "<activity-alias a:name='.L' a:targetActivity='x.y.Main'/>", []),
        (main + "<activity-alias a:name='.L' a:targetActivity='.Mian'/>", [".L missing .Mian"]),
        ("<activity-alias a:name='.L' a:targetActivity='other.Main'/>", [".L missing other.Main"]),
        ("<activity-alias a:name='.L' a:targetActivity='@string/main'/>", []),
        // An alias can be of another one.
        (main + links + "<activity-alias a:name='.M' a:targetActivity='.L'/>", []),
        ("<service a:name='.Main'/>" + links, [".L missing .Main"]),
    ]

    @Test("in a binary manifest, an alias stands behind its activity", arguments: binary)
    func binaries(_ row: (activities: String, faults: [String])) throws {
        #expect(try faults(row.activities, .binary, "package='x.y'") == row.faults)
        #expect(try faults(row.activities, .binary, "package='x.y' split='feature'") == [])
    }

    /// Activities of a manifest of source, and the aliases whose activities it lacks.
    static let source: [(activities: String, faults: [String])] = [
        (links + main, []), (links, [".L missing .Main"]),
        ("<activity-alias a:name='.L'/>", [".L unnamed"]),
        ("<activity-alias a:name='L' a:targetActivity='Main'/>", ["L missing Main"]),
        ("<activity-alias a:name='.L' a:targetActivity='x.y.Main'/>", [".L missing x.y.Main"]),
        // These can be of a library.
        ("<activity-alias a:name='.L' a:targetActivity='x.yz.Main'/>", []),
        ("<activity-alias a:name='other.L'/>", []),
        ("<activity-alias a:name='.L' a:targetActivity='${applicationId}.Main'/>", []),
    ]

    @Test("in source, an alias has an activity of its own package", arguments: source)
    func sources(_ row: (activities: String, faults: [String])) throws {
        #expect(try faults(row.activities, .source, "package='x.y'") == row.faults)
    }

    @Test func `no more aliases are told than a verdict needs`() throws {
        let text = String(repeating: Self.links, count: 1_000)
        #expect(try faults(text, .binary).count == 64)
    }

    @Test(
        "in a directory, other manifests can have the activity",
        arguments: [
            ("lib", "<activity a:name='.Main'/>", false),
            ("app/src/demo", "<activity a:name='x.y.Main'/>", false),
            ("lib", "<activity a:name='.Other'/>", true),
            // A manifest that cannot be read may have any.
            ("lib", "<activity", false),
        ])
    func directories(_ row: (path: String, activities: String, isLost: Bool)) throws {
        let found = try androidApps(
            [
                "\(row.path)/AndroidManifest.xml":
                    "<manifest \(Self.space)><application>\(row.activities)</application></manifest>"
            ],
            application: """
                <application><activity-alias android:name='.L' android:targetActivity='.Main'/></application>
                """)
        #expect(found.map { $0.lostAliases.isEmpty } == [!row.isLost])
    }

    @Test func `a manifest of a flavor can change an alias of the main one`() throws {
        let text =
            "<manifest \(Self.space)><application><activity-alias a:name='.L' a:enabled='false'/></application></manifest>"
        func isLost(_ main: String) throws -> Bool {
            var checkout = Checkout([
                "app/src/demo/AndroidManifest.xml": text,
                "app/src/main/AndroidManifest.xml":
                    "<manifest \(Self.space)><application>\(main)</application></manifest>",
            ])
            return try checkout.read("app/src/demo/AndroidManifest.xml").contains { declaration in
                guard case .android(let app) = declaration else { return false }
                return !app.lostAliases.isEmpty
            }
        }
        #expect(try !isLost(Self.main + Self.links))
        #expect(try isLost(Self.main))
    }
}
