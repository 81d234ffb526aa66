import Testing

@testable import AppFiles

@Suite("Builds of a target for Macs and other systems")
struct MacBuildTests {
    /// The uses of `a.entitlements` by a target.
    /// - Parameter configurations: the settings of each of its releases.
    private func uses(
        _ configurations: [String], type: String = "application"
    ) throws -> [XcodeUse] {
        let names = configurations.indices.map { "R\($0)" }
        let objects = zip(names, configurations).map { name, settings in
            "\(name) = { name = Release\(name); buildSettings = { \(settings) }; };"
        }
        let files = [
            "Shop.xcodeproj/project.pbxproj": """
            // !$*UTF8*$!
            { objects = { P = { targets = (T); };
            T = { name = Shop; productType = "com.apple.product-type.\(type)"; buildConfigurationList = L; };
            L = { buildConfigurations = (\(names.joined(separator: ", "))); };
            \(objects.joined(separator: "\n"))
            }; rootObject = P; }
            """,
            "a.entitlements": """
            <plist><dict><key>com.apple.developer.associated-domains</key>
            <array><string>applinks:a.example</string></array></dict></plist>
            """,
        ]
        var checkout = Checkout(files)
        return try checkout.read("a.entitlements").compactMap { declaration in
            if case .apple(let app) = declaration { app.use } else { nil }
        }
    }

    private static let id = "PRODUCT_BUNDLE_IDENTIFIER = a.b;"
    private static let usual = "\(id) CODE_SIGN_ENTITLEMENTS = a.entitlements;"
    private static let derived = """
        \(usual) SUPPORTS_MACCATALYST = YES; DERIVE_MACCATALYST_PRODUCT_BUNDLE_IDENTIFIER = YES;
        """

    @Test("a file that builds for iOS use is theirs, whichever configuration is first")
    func order() throws {
        let other = """
            \(Self.id) CODE_SIGN_ENTITLEMENTS = b.entitlements;
            "CODE_SIGN_ENTITLEMENTS[sdk=xros*]" = a.entitlements;
            """
        for configurations in [[Self.usual, other], [other, Self.usual]] {
            let found = try uses(configurations)
            #expect(found.map(\.isOfOtherSystem) == [false])
            #expect(found.map(\.configurations) == [["ReleaseR0", "ReleaseR1"]])
        }
        #expect(try uses([other]).map(\.isOfOtherSystem) == [true])
    }

    @Test(
        "apps for phones alone have a build for Macs",
        arguments: [
            ("application", "", 2), ("application", "SDKROOT = iphoneos;", 2),
            ("application", "SDKROOT = auto;", 2), ("application", "SDKROOT = watchos;", 1),
            ("application", "SDKROOT = macosx;", 1),
            ("application.on-demand-install-capable", "SDKROOT = iphoneos;", 1),
        ])
    func systems(_ row: (type: String, settings: String, count: Int)) throws {
        let found = try uses(["\(Self.derived) \(row.settings)"], type: row.type)
        let names = ["a.b", "maccatalyst.a.b"].prefix(row.count)
        #expect(found.compactMap(\.bundleIdentifier) == Array(names))
    }
}
