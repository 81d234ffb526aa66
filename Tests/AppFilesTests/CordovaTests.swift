import TestSupport
import Testing

@testable import AppFiles

@Suite("Cordova's config.xml")
struct CordovaTests {
    private func read(_ content: String) throws -> [AppDeclaration] {
        let text = """
            <widget id="com.example.shop" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
            \(content)</widget>
            """
        return try AppFile.read(ByteSource(Array(text.utf8)))
    }

    /// The filters of the plugin for links, for a host with some paths.
    private func filters(host: String, paths: Int) throws -> [IntentFilter] {
        let paths = (0..<paths).map { "<path url=\"/p\($0)/*\"/>" }.joined()
        let declarations = try read(
            "<universal-links><host name=\"\(host)\" scheme=\"https\">\(paths)</host></universal-links>"
        )
        return declarations.flatMap { declaration in
            if case .android(let app) = declaration { app.filters } else { [IntentFilter]() }
        }
    }

    @Test func `a host is one filter, however many paths it has`() throws {
        #expect(try filters(host: "shop.example.com", paths: 3).count == 1)
        #expect(try filters(host: "shop.example.com", paths: 0).count == 1)
    }

    @Test func `a host costs once, however many paths it has`() throws {
        let host = String(repeating: "a", count: 80_000)
        func time(_ paths: Int) -> Duration {
            processorTime { _ = try? filters(host: host, paths: paths) }
        }
        #expect((1...3).contains { _ in time(600) < time(6) * 10 + .milliseconds(100) })
    }

    private func domains(target: String) throws -> [String] {
        let declarations = try read(
            """
            <name>Shop</name><platform name="ios">
            <config-file target="\(target)" parent="com.apple.developer.associated-domains">
            <array><string>applinks:shop.example.com</string></array></config-file></platform>
            """)
        return declarations.flatMap { declaration in
            guard case .apple(let app) = declaration, case .list(let domains) = app.domains else {
                return [String]()
            }
            return domains.map(\.text)
        }
    }

    @Test(
        "domains for the entitlements of releases count",
        arguments: [
            ("*-Release.plist", true), ("*/Entitlements-Release.plist", true),
            ("Shop/Entitlements-Release.plist", true), ("App/Entitlements-Release.plist", true),
            ("**/*Release*", true), ("*Rel*e*.plist", true),
            ("*-Debug.plist", false), ("*-Info.plist", false), ("*.plist", false),
            ("Entitlements-Release.plist", false), ("Other/Entitlements-Release.plist", false),
            ("*.entitlements", false), ("config.xml", false), ("", false), ("*", false),
            ("*Release.plist.plist", false), ("Entitlements-Release*-Release.plist", false),
        ])
    func countsTarget(_ target: String, _ counts: Bool) throws {
        #expect(try domains(target: target) == (counts ? ["applinks:shop.example.com"] : []))
    }
}
