import Diagnostics
import Foundation
import Linting
import SiteConfiguration
import Testing

@testable import AppFiles

@Suite("The app of source that the caller names")
struct AppClaimTests {
    private static let id = "ABCDE12345.com.example.shop"
    private static let unknown = "PRODUCT_BUNDLE_IDENTIFIER = \"$(APP_ID)\";"
    private static let known = "PRODUCT_BUNDLE_IDENTIFIER = com.example.shop;"
    private static let links = ["applinks:shop.example.com"]
    private static let clip = ["appclips:shop.example.com"]
    private static let group = "<key>com.apple.security.application-groups</key><array/>"
    private static let sandbox = "<key>com.apple.security.app-sandbox</key><true/>"

    private static func entitlements(_ domains: [String], _ more: String = "") -> String {
        let texts = domains.map { "<string>\($0)</string>" }.joined()
        return """
            <plist version="1.0"><dict>\(more)<key>com.apple.developer.associated-domains</key>
            <array>\(texts)</array></dict></plist>
            """
    }

    /// A target with a file of its name.
    struct Target {
        let name: String
        let type: String
        let settings: String
        let file: String

        init(
            _ name: String, type: String = "application", _ settings: String, _ file: String
        ) {
            (self.name, self.type, self.settings, self.file) = (name, type, settings, file)
        }
    }

    private static func project(_ targets: [Target]) -> [String: String] {
        let objects = targets.map { target in
            """
            T\(target.name) = { name = \(target.name); buildConfigurationList = L\(target.name);
            productType = "com.apple.product-type.\(target.type)"; };
            L\(target.name) = { buildConfigurations = (R\(target.name)); };
            R\(target.name) = { name = Release; buildSettings = { \(target.settings)
            CODE_SIGN_ENTITLEMENTS = \(target.name).entitlements; }; };
            """
        }
        var files = Dictionary(
            uniqueKeysWithValues: targets.map { ("\($0.name).entitlements", $0.file) })
        files["Shop.xcodeproj/project.pbxproj"] = """
            // !$*UTF8*$!
            { objects = { P = { targets = (\(targets.map { "T\($0.name)" }.joined(separator: ", "))); };
            \(objects.joined(separator: "\n")) }; rootObject = P; }
            """
        return files
    }

    /// What the files of a checkout declare.
    private static func declared(
        _ files: [String: String]
    ) throws -> [(file: String, declarations: [AppDeclaration])] {
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                ByteSource(Array((files[name] ?? "").utf8))
            })
        return try checkout.apps.map { ($0, try checkout.read($0).filter(\.isOfLinks)) }
    }

    /// The verdict on each file: its name, the app, and what is known.
    private func verdicts(_ files: [String: String], _ claim: ClaimedApp) throws -> [String] {
        let sites = try #require(AppFixture.configuration?.environment(named: "prod")).sites
        var comparison = AppComparison(sites.map { SiteHalf($0) }, claimed: claim)
        let read = comparison.claiming(try Self.declared(files))
        var agreements = read.flatMap { comparison.compare($0.declarations, file: $0.file) }
        comparison.addPlatforms(to: &agreements, read)
        return agreements.map { agreement in
            let file = agreement.source.prefix { $0 != "." }
            let app = agreement.app?.components(separatedBy: "com.example.").last ?? "?"
            return "\(file) \(app) \(agreement.verdict)"
        }
    }

    static let targets: [(targets: [Target], verdicts: [String])] = [
        ([Target("App", unknown, entitlements(links))], ["App shop agrees"]),
        ([Target("App", known, entitlements(links))], ["App shop agrees"]),
        (
            [
                Target("App", unknown, entitlements(links)),
                Target(
                    "Share", type: "app-extension", unknown, "<plist><dict>\(group)</dict></plist>"),
                Target(
                    "Fill", type: "app-extension", unknown,
                    entitlements(["webcredentials:a.example"])),
                Target(
                    "Watch", unknown + "SDKROOT = watchos;", "<plist><dict>\(group)</dict></plist>"),
            ], ["App shop agrees", "Fill ? unknown"]
        ),
        (
            [
                Target("App", unknown, entitlements(links + clip)),
                Target(
                    "Clip", type: "application.on-demand-install-capable", unknown,
                    entitlements(clip)),
            ], ["App shop agrees", "Clip shop.Clip agrees"]
        ),
        // Either can be the app.
        (
            [
                Target("App", unknown, entitlements(links)),
                Target("Other", unknown, "<plist><dict>\(group)</dict></plist>"),
            ], ["App ? unknown"]
        ),
        (
            [
                Target("App", known, entitlements(links)),
                Target("Other", unknown, "<plist><dict>\(group)</dict></plist>"),
            ], ["App shop agrees"]
        ),
        (
            [
                Target("App", unknown, entitlements(links)),
                Target(
                    "Other", "PRODUCT_BUNDLE_IDENTIFIER = com.example.other;",
                    entitlements(["applinks:a.example"])),
            ], ["App shop agrees", "Other other unknown"]
        ),
        (
            [Target("App", unknown + "SDKROOT = appletvos;", entitlements(links))],
            ["App shop agrees"]
        ),
    ]

    @Test("is the one application of a project", arguments: targets)
    func ofProject(_ row: (targets: [Target], verdicts: [String])) throws {
        let claim = ClaimedApp(ios: Self.id, clip: "\(Self.id).Clip")
        #expect(try verdicts(Self.project(row.targets), claim) == row.verdicts)
    }

    static let files: [(files: [String: String], app: String, verdicts: [String])] = [
        (["App": entitlements(links)], id, ["App shop agrees"]),
        (["App": entitlements(clip)], "\(id).Clip", ["App shop.Clip agrees"]),
        (["App": entitlements(["webcredentials:shop.example.com"])], id, ["App shop differs"]),
        (
            [
                "App": entitlements(links), "Clip": entitlements(clip),
                "Fill": entitlements(["webcredentials:a.example"]),
            ], id, ["App shop agrees", "Clip ? unknown", "Fill ? unknown"]
        ),
        (
            [
                "App": entitlements(links + clip),
                "Clip": entitlements(
                    clip + links,
                    """
                    <key>com.apple.developer.parent-application-identifiers</key>
                    <array><string>\(id)</string></array>
                    """),
            ], id, ["App shop agrees", "Clip ? unknown"]
        ),
        (
            ["App": entitlements(links), "AppDebug": entitlements(links)], id,
            ["App shop agrees", "AppDebug shop agrees"]
        ),
        (
            ["App": entitlements(links), "Mac": entitlements(links, sandbox)], id,
            ["App shop agrees", "Mac ? unknown"]
        ),
        (
            ["App": entitlements(links), "Other": entitlements(links)], id,
            ["App ? unknown", "Other ? unknown"]
        ),
    ]

    @Test("is the one file that is of an application", arguments: files)
    func ofFiles(_ row: (files: [String: String], app: String, verdicts: [String])) throws {
        let files = Dictionary(
            uniqueKeysWithValues: row.files.map { ("\($0.key).entitlements", $0.value) })
        #expect(try verdicts(files, ClaimedApp(ios: row.app)) == row.verdicts)
    }

    @Test func `the advice is not to name an app that was named`() throws {
        let files = ["App.entitlements", "Other.entitlements"].map {
            ($0, Self.entitlements(Self.links))
        }
        func advice(_ claim: ClaimedApp) throws -> [String?] {
            var comparison = AppComparison([], claimed: claim)
            let read = comparison.claiming(
                try Self.declared(Dictionary(uniqueKeysWithValues: files)))
            return read.flatMap { comparison.compare($0.declarations, file: $0.file) }
                .flatMap(\.findings).filter { $0.rule == .appUnknown }.map(\.advice)
        }
        let usual = "give the .ipa, or say the app with --app NAME"
        #expect(try advice(ClaimedApp()) == [usual, usual])
        let named = "give the .ipa: --app names one app, which this one need not be"
        #expect(try advice(ClaimedApp(ios: Self.id)) == [named, named])
    }
}
