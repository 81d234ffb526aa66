import TestSupport
import Testing

@testable import AppFiles

@Suite("Xcode projects")
struct XcodeProjectTests {
    private func list(_ text: String) throws -> PropertyList {
        try OpenStepReader.read(Array(text.utf8))
    }

    private func fault(_ text: String) -> FormatFault? {
        do throws(FormatFault) {
            _ = try OpenStepReader.read(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `the oldest form of a property list is read like that of XML`() throws {
        let old = try list(
            """
            // !$*UTF8*$!
            {
            \ta = (b /* c; */, "d e", "", );
            \t"f\\"g" = {h.i/j-k_$:ü = 'l\\nm\\\\'; }; n = <0A>; // o
            \tp = ();}

            """)
        let xml = try PropertyList.read(
            Array(
                """
                <plist><dict><key>a</key><array><string>b</string><string>d e</string><string/></array>
                <key>f"g</key><dict><key>h.i/j-k_$:ü</key><string>l\nm\\</string></dict>
                <key>n</key><data/><key>p</key><array/></dict></plist>
                """.utf8))
        #expect(old.isSame(as: xml))
    }

    static let faults: [(text: String, fact: String, line: Int, column: Int)] = [
        ("", "must have a text here", 1, 1),
        ("{a = b}", "must have \";\" here", 1, 7),
        ("{\n<<<<<<< HEAD\n}", "must have a text here", 2, 1),
        ("{\n ü b;}", "must have \"=\" here", 2, 4),
        ("{a = b; a = c;}", "repeats the key \"a\"", 1, 14),
        ("(a b)", "must have \",\" here", 1, 4),
        ("(a", "must have \",\" here", 1, 3),
        ("{a = \"b;}", "has a text without an end", 1, 6),
        ("{a = <0A;}", "has data without an end", 1, 6),
        ("{} /* a", "has a comment without an end", 1, 4),
        ("{} a", "has more after its value", 1, 4),
    ]

    @Test("a list that is none is refused with its place", arguments: faults)
    func refused(_ row: (text: String, fact: String, line: Int, column: Int)) {
        let fault = fault(row.text)
        #expect(fault?.fact == row.fact)
        #expect(fault?.place == TextPlace(line: row.line, column: row.column))
    }

    @Test func `values are read to a depth, and no deeper`() {
        func nested(_ count: Int) -> String {
            String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
        }
        #expect(fault(nested(AppFileLimits.depthMax - 1)) == nil)
        #expect(fault(nested(AppFileLimits.depthMax))?.fact.contains("too deep") == true)
        #expect(fault(nested(100_000))?.fact.contains("too deep") == true)
    }

    @Test func `what a list costs grows with its size`() {
        for unit in ["(a),", "\"b\",", "/**/", "{c=d;},", "\n", "e,", "//\n", "\"\\\"\","] {
            func bytes(_ count: Int) -> [UInt8] {
                Array(("(" + String(repeating: unit, count: count) + ")").utf8)
            }
            let (few, many) = (bytes(4_000), bytes(32_000))
            func time(_ bytes: [UInt8]) -> Duration {
                processorTime { _ = try? OpenStepReader.read(bytes) }
            }
            #expect(
                (1...3).contains { _ in time(many) < time(few) * 24 + .milliseconds(50) }, "\(unit)"
            )
        }
    }

    private func settings(_ layers: [String]?...) -> BuildSettings {
        BuildSettings(
            layers.map { lines in
                lines.map { lines in
                    BuildSettings.layer(
                        BuildSettings.numberedLines(
                            ofFile: Array(lines.joined(separator: "\n").utf8)
                        )
                        .compactMap {
                            if case .setting(let name, let value) = $0.line {
                                (name, value)
                            } else {
                                nil
                            }
                        })
                }
            })
    }

    static let values: [(lines: [String], value: BuildSettings.Value)] = [
        (["A = b"], .known("b")),
        (["A=b c // d"], .known("b c")),
        (["A = "], .known("")),
        (["B = c"], .absent),
        (["A = $(B)-${C}", "B = d", "C = $(B)"], .known("d-d")),
        (["A = $(B)"], .open),
        (["A = $(B:lower)", "B = C"], .open),
        (["A = $(inherited) b"], .known(" b")),
        (["A = $(A)b"], .known("b")),
        (["A = $(B)", "B = $(A)"], .open),
        (["A = b", "A[sdk=iphoneos*] = c"], .known("c")),
        (["A = b", "A[sdk=macosx*] = c"], .known("b")),
        (["A = b", "A[config=Release] = c"], .open),
        (["A = b", "A[sdk=iphone*] = c"], .known("c")),
        (["A = b", "A[sdk=*] = c"], .known("c")),
        (["A = b", "A[sdk=iphonesimulator*] = c"], .known("b")),
        (["A = b", "A[sdk=iphoneos17.0] = c"], .open),
        (["A = b", "A[sdk=iphoneos*][arch=arm64] = c"], .open),
        (["A = b", "A[sdk=macosx*][arch=arm64] = c"], .known("b")),
        (["A = https://b.example"], .known("https:")),
        (["A = https:/$()/b.example"], .known("https://b.example")),
        (["A = b", "A = $(inherited)c"], .open),
        (["A = b", "A = $(A)c"], .open), (["A = b", "A = ${A}c"], .open),
        (["A = b", "A[sdk=iphoneos*] = $(A)c"], .open), (["A = $(A)c"], .known("c")),
        (["A = b", "A = $(AB)c", "AB = d"], .known("dc")),
        (["A = $"], .known("$")),
        (["A = $(B"], .open),
        (["A = $B_1-${C}$[C]", "B_1 = c", "C = d"], .known("c-dd")),
        (["A = $B.d"], .open),
        (["A = $$B $1", "B = c"], .known("$B $1")),
        (["A = b;"], .known("b")), (["A = b ; // c"], .known("b")), (["A = ;"], .known("")),
        (["A = b;;"], .known("b;")), (["A = b;c"], .known("b;c")),
        (["A = b \\", "  c; // d", "e"], .known("b c")), (["A = \\", "b"], .known("b")),
        (["A = b\\ // c", "#include \"d\"", "A = e"], .known("e")),
        (["A = b \\", "", "c"], .known("b")), (["A = b \\"], .known("b")),
        (["A = b \\\r", "c\r"], .known("b c")), (["A = b \\\r", "\r", "c = d"], .known("b")),
    ]

    @Test("a setting has the value that its lines give it", arguments: values)
    func value(_ row: (lines: [String], value: BuildSettings.Value)) {
        #expect(settings(row.lines).value("A") == row.value)
    }

    @Test func `values for other systems and for simulators are known by themselves`() {
        let settings = settings(
            ["A = b", "A[sdk=macosx*] = $(B)", "B = c", "A[sdk=iphonesimulator*] = d"],
            ["A[sdk=macosx*] = e", "AB[sdk=macosx*] = f"])
        #expect(settings.values("A", ofSimulators: false) == [.known("c")])
        #expect(settings.values("A", ofSimulators: true) == [.known("d")])
        #expect(settings.values("B", ofSimulators: false) == [])
    }

    @Test(
        "builds for Macs have values of their own",
        arguments: [
            (["A = b"], .known("b")), (["A = b", "A[sdk=macosx*] = c"], .known("c")),
            (["A = b", "A[sdk=iphoneos*] = c"], .known("b")),
            (["A[sdk=iphoneos*] = c"], .absent), (["A = b", "A[sdk=*] = c"], .known("c")),
            (["A = $(B)", "B = b", "B[sdk=macosx*] = c"], .known("c")),
            (["A = b", "A[sdk=macosx*][arch=arm64] = c"], .open),
            (["A = b", "A[sdk=watchos*] = c"], .known("b")),
        ] as [([String], BuildSettings.Value)])
    func macValue(_ row: (lines: [String], value: BuildSettings.Value)) {
        #expect(settings(row.lines).ofMac.value("A") == row.value)
    }

    @Test func `the first layer with a setting decides, and others are inherited`() {
        #expect(settings(["A = b"], ["A = c"]).value("A") == .known("b"))
        #expect(settings([], ["A = c"]).value("A") == .known("c"))
        #expect(settings(["A = $(inherited)b"], [], ["A = c"]).value("A") == .known("cb"))
        #expect(settings(["A = $(B)"], ["B = c"]).value("A") == .known("c"))
        #expect(settings(["A = b"], nil, ["C = d"]).value("A") == .known("b"))
        #expect(settings(["A = b"], nil, ["C = d"]).value("C") == .open)
        #expect(settings(["A = b"], nil).value("D") == .open)
    }

    @Test func `a dictionary has the place of its line`() throws {
        let list = try list("{ a =\n {\nb = \"c\n\"; }; /* \n */ d = {}; }")
        #expect(list.place == TextPlace(line: 1, column: 1))
        #expect(list["a"]?.place == TextPlace(line: 2, column: 1))
        #expect(list["d"]?.place == TextPlace(line: 5, column: 1))
        #expect(list["a"]?["b"]?.place == nil)
    }

    /// The files of settings beside `Shop.xcconfig`, its text, the settings of the target, and what the use says: the bundle
    /// identifier, and the file that may have what it lacks.
    static let missing: [(text: String, target: String, bundle: String?, file: String?)] = [
        ("ID = a.b\n#include? \"Local.xcconfig\"", id, nil, "Local.xcconfig"),
        ("#include? \"Local.xcconfig\"\nID = a.b", id + team, "a.b", nil),
        ("#include? \"Local.xcconfig\"\nID = a.b", id, "a.b", "Local.xcconfig"),
        ("#include? \"x/../y/Local.xcconfig\"", id, nil, "y/Local.xcconfig"),
        ("#include \"$(DIR)/Local.xcconfig\"", id, nil, nil),
        ("OTHER = a.b", id, nil, nil),
        (
            "#include? \"Local.xcconfig\"\nID = A",
            "PRODUCT_BUNDLE_IDENTIFIER = \"$(ID:lower)\";\(team)", nil, nil
        ),
    ]
    private static let id = "PRODUCT_BUNDLE_IDENTIFIER = \"$(ID)\";"
    private static let team = "DEVELOPMENT_TEAM = ABCDE12345;"

    @Test("a file that is missing, and that may have the identifier, is named", arguments: missing)
    func missingFile(_ row: (text: String, target: String, bundle: String?, file: String?)) throws {
        var checkout = Checkout([
            "Shop.xcconfig": row.text,
            "a.entitlements": "<plist><dict/></plist>",
            "Shop.xcodeproj/project.pbxproj": """
            { objects = { P = { targets = (T); mainGroup = G; }; G = { children = (F); sourceTree = "<group>"; };
            F = { path = Shop.xcconfig; sourceTree = "<group>"; };
            T = { name = Shop; productType = "com.apple.product-type.application"; buildConfigurationList = L; };
            L = { buildConfigurations = (R); }; R = { name = Release; baseConfigurationReference = F;
            buildSettings = { \(row.target) CODE_SIGN_ENTITLEMENTS = a.entitlements; }; }; }; rootObject = P; }
            """,
        ])
        let uses = try checkout.read("a.entitlements").compactMap { declaration in
            if case .apple(let app) = declaration { app.use } else { nil }
        }
        #expect(uses.map(\.bundleIdentifier) == [row.bundle])
        #expect(uses.map(\.missingFile) == [row.file])
    }

    @Test func `settings that multiply are open`() {
        var lines = ["A0 = b"]
        for index in 1...64 { lines.append("A\(index) = $(A\(index - 1))$(A\(index - 1))") }
        #expect(settings(lines).value("A64") == .open)
        #expect(settings(lines).value("A3") == .known("bbbbbbbb"))
    }

    private func read(_ bytes: [UInt8]) {
        var checkout = Checkout(
            BundleFiles(names: [
                "a.xcodeproj/project.pbxproj", "Config/Release.xcconfig", "a.entitlements",
            ]) {
                name throws(FormatFault) in
                ByteSource(
                    name.hasSuffix("pbxproj")
                        ? bytes
                        : Array(
                            name.hasSuffix("xcconfig")
                                ? "#include \"Release.xcconfig\"\nAPP_ID = $(APP_ID)".utf8
                                : "<plist><dict/></plist>".utf8))
            })
        for name in checkout.apps { _ = try? checkout.read(name) }
    }

    @Test func `a damaged project is read or refused`() throws {
        let bytes = try Made.bytes("project.pbxproj")
        for index in bytes.indices {
            read(Array(bytes[..<index]))
            var mutant = bytes
            mutant[index] = Array("(){};=\"$ ".utf8)[index % 9]
            read(mutant)
        }
        var generator = SplitMix(seed: 12)
        for _ in 0..<1_000 {
            // Objects refer to each other, so exchanged parts are cycles.
            var mutant = bytes
            let size = Int.random(in: 1...40, using: &generator)
            let (from, to) = (
                Int.random(in: 0..<(bytes.count - size), using: &generator),
                Int.random(in: 0..<(bytes.count - size), using: &generator)
            )
            mutant.replaceSubrange(to..<(to + size), with: bytes[from..<(from + size)])
            read(mutant)
        }
    }

    @Test func `a project in the form of XML is read`() throws {
        let text = """
            <plist><dict><key>rootObject</key><string>P</string><key>objects</key><dict>
            <key>P</key><dict><key>targets</key><array><string>T</string></array></dict>
            <key>T</key><dict><key>name</key><string>Shop</string>
            <key>productType</key><string>com.apple.product-type.application</string>
            <key>buildConfigurationList</key><string>L</string></dict>
            <key>L</key><dict><key>buildConfigurations</key><array><string>R</string></array></dict>
            <key>R</key><dict><key>name</key><string>Release</string><key>buildSettings</key><dict>
            <key>CODE_SIGN_ENTITLEMENTS</key><string>$(PROJECT)/../App.entitlements</string></dict></dict>
            </dict></dict></plist>
            """
        let project = try XcodeProject(
            PropertyList.read(Array(text.utf8)), in: "ios", named: "Shop"
        ) {
            _ in nil
        }
        #expect(project.configurations.map(\.entitlements) == [.known("ios/App.entitlements")])
        #expect(project.configurations.map(\.isApp) == [true])
    }

    /// Settings of a target, its type, and the use of its entitlements: `bundle identifier, kind`.
    static let targets: [(settings: String, type: String, uses: [String])] = [
        ("", "application", ["a.b"]), ("SDKROOT = appletvos;", "application", ["a.b other"]),
        ("SDKROOT = xros;", "application", ["a.b other"]),
        ("SUPPORTED_PLATFORMS = \"appletvos appletvsimulator\";", "application", ["a.b other"]),
        ("SUPPORTED_PLATFORMS = \"iphoneos appletvos\";", "application", ["a.b"]),
        ("INFOPLIST_FILE = same.plist;", "application", ["a.b"]),
        ("INFOPLIST_FILE = variable.plist;", "application", ["a.b"]),
        ("INFOPLIST_FILE = missing.plist;", "application", ["a.b"]),
        ("INFOPLIST_FILE = suffix.plist; SUFFIX = \"\";", "application", ["a.b"]),
        ("INFOPLIST_FILE = suffix.plist; SUFFIX = .c;", "application", ["?"]),
        ("INFOPLIST_FILE = other.plist;", "application", ["?"]),
        ("", "bundle.ui-testing", []), ("", "app-extension", ["a.b"]),
    ]

    @Test("a target is for a system, with the identifier of its Info.plist", arguments: targets)
    func uses(_ row: (settings: String, type: String, uses: [String])) throws {
        let plist = { (text: String) in
            "<plist><dict><key>CFBundleIdentifier</key><string>\(text)</string></dict></plist>"
        }
        var checkout = Checkout([
            "same.plist": plist("a.b"), "variable.plist": plist("$(PRODUCT_BUNDLE_IDENTIFIER)"),
            "suffix.plist": plist("$(PRODUCT_BUNDLE_IDENTIFIER)$(SUFFIX)"),
            "other.plist": plist("$(PRODUCT_BUNDLE_IDENTIFIER).c"),
            "a.entitlements": """
            <plist><dict><key>com.apple.developer.associated-domains</key>
            <array><string>applinks:a.example</string></array></dict></plist>
            """,
            "Shop.xcodeproj/project.pbxproj": """
            // !$*UTF8*$!
            { objects = { P = { targets = (T); }; T = { name = Shop;
            productType = "com.apple.product-type.\(row.type)"; buildConfigurationList = L; };
            L = { buildConfigurations = (R); }; R = { name = Release; buildSettings = { \(row.settings)
            CODE_SIGN_ENTITLEMENTS = a.entitlements; PRODUCT_BUNDLE_IDENTIFIER = a.b; }; }; }; rootObject = P; }
            """,
        ])
        let found = try checkout.read("a.entitlements").compactMap { declaration -> String? in
            guard case .apple(let app) = declaration, let use = app.use else { return nil }
            return (use.bundleIdentifier ?? "?") + (use.isOfOtherDevice ? " other" : "")
        }
        #expect(found == row.uses)
    }
}
