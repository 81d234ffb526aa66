import Testing

@testable import AppFiles

@Suite("Scripts that may write entitlements or settings")
struct WritingScriptTests {
    /// The files that leave open what an app of a project declares.
    /// - Parameters:
    ///   - phase: what the script phase of the target has.
    ///   - before: what that of the target before it has.
    ///   - other: another configuration of the target, for another app.
    private func openings(
        phase: String = "", before: String = "", scheme: String? = nil, other: String = "Debug",
        in name: String = "ios/Shop.xcodeproj/xcshareddata/xcschemes/Shop.xcscheme"
    ) throws -> [String] {
        let project = """
            {objects = {P = {targets = (T, A); mainGroup = G;}; G = {children = (F); sourceTree = "<group>";};
            F = {path = Config/Release.xcconfig; sourceTree = "<group>";};
            T = {name = Shop; productType = "com.apple.product-type.application"; buildConfigurationList = L;
            buildPhases = (S); dependencies = (D);}; D = {target = A;};
            A = {name = Brand; buildPhases = (B); dependencies = (D);};
            L = {buildConfigurations = (C, O);}; C = {name = Release; baseConfigurationReference = F;
            buildSettings = {CODE_SIGN_ENTITLEMENTS = Shop/Shop.entitlements;};};
            S = {\(phase)};
            B = {\(before)};
            O = {name = "\(other)"; baseConfigurationReference = F;
            buildSettings = {CODE_SIGN_ENTITLEMENTS = Shop/Other.entitlements;};};
            }; rootObject = P;}
            """
        var files = [
            "ios/Shop.xcodeproj/project.pbxproj": project,
            "ios/Config/Release.xcconfig": "PRODUCT_BUNDLE_IDENTIFIER = com.example.shop\n",
            "ios/Shop/Shop.entitlements": """
            <plist><dict><key>com.apple.developer.associated-domains</key><array>
            <string>applinks:shop.example.com</string></array></dict></plist>
            """,
        ]
        files[name] = scheme
        var checkout = Checkout(files)
        guard case .apple(let app)? = try checkout.read("ios/Shop/Shop.entitlements").first else {
            return ["no app"]
        }
        return app.unread.map { "\($0.name):\($0.place?.line ?? 0)" }
    }

    @Test(
        "a script leaves the verdict open if it names entitlements, or settings that are read",
        arguments: [
            (#"cp brands/a/Shop.entitlements Shop/"#, true),
            (#"sed -i '' s/a/b/ $CODE_SIGN_ENTITLEMENTS"#, true),
            (#"PlistBuddy -c 'Add :com.apple.developer.associated-domains' a"#, true),
            (#"cp a.xcconfig Config/release.xcconfig"#, true), (#"cp $B.xcconfig Config"#, true),
            (#"cp $(B).xcconfig Config"#, true), (#"cp brands/*.xcconfig Config"#, true),
            (#"cp a Config/Other.xcconfig"#, false), (#"cp a Config/PreRelease.xcconfig"#, false),
            (#"cp a.plist Shop/GoogleService-Info.plist"#, false), ("", false),
        ])
    func phases(_ script: String, _ isOpen: Bool) throws {
        let text = "shellScript = \"\(script)\";"
        #expect(
            try openings(phase: text) == (isOpen ? ["ios/Shop.xcodeproj/project.pbxproj:8"] : []))
        // A target that the app depends on is built before it.
        #expect(
            try openings(before: text) == (isOpen ? ["ios/Shop.xcodeproj/project.pbxproj:9"] : []))
    }

    @Test func `the outputs of a script are what it writes`() throws {
        let outputs = "outputPaths = (\"$(SRCROOT)/Shop/Shop.entitlements\");"
        let phase = "shellScript = \"./a.sh\"; \(outputs)"
        #expect(try openings(phase: phase) == ["ios/Shop.xcodeproj/project.pbxproj:8"])
    }

    private func scheme(
        _ script: String, actions: String = "PreActions", target: String = "Shop",
        container: String = "Shop.xcodeproj", configuration: String = "Release"
    ) -> String {
        """
        <Scheme><BuildAction><\(actions)><ExecutionAction>
        <ActionContent scriptText="\(script)"/></ExecutionAction></\(actions)>
        <BuildActionEntries><BuildActionEntry buildForArchiving="YES"><BuildableReference
        BlueprintName="\(target)" ReferencedContainer="container:\(container)"/></BuildActionEntry></BuildActionEntries>
        </BuildAction><ArchiveAction buildConfiguration="\(configuration)"/></Scheme>
        """
    }

    private static let script = "cp brands/acme.xcconfig Config/Release.xcconfig"

    @Test(
        "a shared scheme that archives another build for everybody leaves the release open",
        arguments: [
            ("Distribution", "Distribution", true), ("Distribution", "Debug", false),
            ("Release", "Distribution", false), ("Debug", "Debug", false),
            ("Distribution-AdHoc", "Distribution-AdHoc", false),
        ])
    func archived(_ configuration: String, _ other: String, _ isOpen: Bool) throws {
        let own = "ios/Shop.xcodeproj/xcshareddata/xcschemes/Shop.xcscheme"
        let text = scheme("", configuration: configuration)
        #expect(try openings(scheme: text, other: other) == (isOpen ? ["\(own):0"] : []))
        let ofWidget = scheme("", target: "Widget", configuration: configuration)
        #expect(try openings(scheme: ofWidget, other: other).isEmpty)
    }

    @Test func `an action of a shared scheme before the build is such a script`() throws {
        let own = "ios/Shop.xcodeproj/xcshareddata/xcschemes/Shop.xcscheme"
        #expect(try openings(scheme: scheme(Self.script)) == ["\(own):2"])
        #expect(try openings(scheme: scheme("cp a tmp.xcconfig")).isEmpty)
        #expect(try openings(scheme: scheme(Self.script, actions: "PostActions")).isEmpty)
        #expect(try openings(scheme: scheme(Self.script, target: "Widget")).isEmpty)
        #expect(try openings(scheme: scheme(Self.script, container: "a/Shop.xcodeproj")).isEmpty)
        #expect(try openings(scheme: scheme(Self.script, configuration: "Debug")).isEmpty)
        #expect(try openings(scheme: "<Scheme><PreActions>").isEmpty)
        let above = "Shop.xcworkspace/xcshareddata/xcschemes/Shop.xcscheme"
        let text = scheme(Self.script, container: "ios/Shop.xcodeproj")
        #expect(try openings(scheme: text, in: above) == ["\(above):2"])
    }

    @Test(
        "a program of CocoaPods leaves the verdict open if it names entitlements or identifiers",
        arguments: [
            ("ios/Podfile", "c.build_settings['CODE_SIGN_ENTITLEMENTS'] = 'a'", true),
            ("Podfile", "a.sub!('PRODUCT_BUNDLE_IDENTIFIER', 'b')", true),
            ("ios/Podfile", "  # c.build_settings['CODE_SIGN_ENTITLEMENTS'] = 'a'", false),
            ("android/Podfile", "c.build_settings['CODE_SIGN_ENTITLEMENTS'] = 'a'", false),
            // Targets of pods are signed, too, and Flutter's Podfile reads a file of settings.
            ("ios/Podfile", "c.build_settings['DEVELOPMENT_TEAM'] = 'ABCDE12345'", false),
            ("ios/Podfile", "File.join('..', 'Config', 'Release.xcconfig')", false),
            ("a/a.podspec", "s.script_phase = { :script => 'cp b Shop.entitlements' }", true),
            ("a.podspec", "s.user_target_xcconfig = { 'PRODUCT_BUNDLE_IDENTIFIER' => 'a' }", true),
            ("a.podspec", "s.pod_target_xcconfig = { 'PRODUCT_BUNDLE_IDENTIFIER' => 'a' }", false),
            ("a.podspec.json", "{\"prepare_command\": \"./a CODE_SIGN_ENTITLEMENTS\"}", true),
            ("a.md", "CODE_SIGN_ENTITLEMENTS", false),
        ])
    func pods(_ name: String, _ text: String, _ isOpen: Bool) throws {
        #expect(try openings(scheme: text, in: name) == (isOpen ? ["\(name):0"] : []))
    }

    @Test(
        "XcodeGen's specification with other identifiers is named",
        arguments: [
            ("PRODUCT_BUNDLE_IDENTIFIER: com.example.other", true),
            ("PRODUCT_BUNDLE_IDENTIFIER: \"com.example.shop\"", false),
            ("PRODUCT_BUNDLE_IDENTIFIER: ${ID}", false), ("bundleIdPrefix: com.other", false),
        ])
    func specification(_ line: String, _ isNamed: Bool) throws {
        let project = """
            {objects = {P = {targets = (T);}; T = {name = Shop; buildConfigurationList = L;
            productType = "com.apple.product-type.application";}; L = {buildConfigurations = (C);};
            C = {name = Release; buildSettings = {CODE_SIGN_ENTITLEMENTS = S.entitlements;
            PRODUCT_BUNDLE_IDENTIFIER = com.example.shop;};};}; rootObject = P;}
            """
        var checkout = Checkout([
            "S.xcodeproj/project.pbxproj": project, "project.yml": line,
            "S.entitlements": """
            <plist><dict><key>com.apple.developer.associated-domains</key><array>
            <string>applinks:shop.example.com</string></array></dict></plist>
            """,
        ])
        guard case .apple(let app)? = try checkout.read("S.entitlements").first else {
            Issue.record("no app")
            return
        }
        #expect(app.writers.map(\.name) == (isNamed ? ["project.yml"] : []))
    }
}
