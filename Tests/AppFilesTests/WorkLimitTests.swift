import Testing

@testable import AppFiles

@Suite("Limits of what a small file can ask for")
struct WorkLimitTests {
    // MARK: Manifests

    private func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        var (result, size) = ([UInt8(number << 3 | 2)], bytes.count)
        while size >= 0x80 {
            result.append(UInt8(size & 0x7F | 0x80))
            size >>= 7
        }
        return result + [UInt8(size)] + bytes
    }

    @Test("an element has a bounded number of attributes", arguments: [1_000, 1_001])
    func attributes(_ count: Int) {
        let text = (0..<count).map { " a\($0)=\"\"" }.joined()
        let attribute = field(4, field(2, [UInt8(ascii: "a")]))
        let attributes = [[UInt8]](repeating: attribute, count: count).joined()
        let element = field(3, Array("manifest".utf8)) + attributes
        func check(_ read: () throws(FormatFault) -> XMLNode) {
            do throws(FormatFault) {
                let node = try read()
                #expect(count == 1_000 && node.attributes.count == 1_000)
            } catch {
                #expect(count == 1_001)
                #expect(error.fact == "has an element with more than 1000 attributes")
            }
        }
        check { () throws(FormatFault) in
            try XMLReader.read(Array("<manifest\(text)/>".utf8))
        }
        check { () throws(FormatFault) in try BundleXML.read(field(1, element)) }
    }

    @Test(
        "of a name with very many full stops, only the last part is compared",
        arguments: [(16, false), (17, true)])
    func names(_ row: (dots: Int, isLast: Bool)) {
        let last = ComponentName.last([UInt8(ascii: "M")])
        let package = [String](repeating: "a", count: row.dots).joined(separator: ".")
        #expect((ComponentName("\(package).M", in: nil) == last) == row.isLast)
        #expect((ComponentName(".M", in: package) == last) == row.isLast)
        #expect((ComponentName("M", in: package) == last) == row.isLast)
        #expect(ComponentName(".M", in: nil) == .relative(Array(".M".utf8)))
        #expect(ComponentName("M", in: "a.b") == .whole(Array("a.b.M".utf8)))
    }

    // MARK: Xcode

    @Test("identifiers of the app around an App Clip are bounded", arguments: [(8, 8), (9, 8)])
    func parents(_ row: (count: Int, read: Int)) throws {
        let texts = (0..<row.count).map { "<string>ABCDE12345.a.b\($0)</string>" }.joined()
        let list = try PropertyList.read(
            Array(
                """
                <plist><dict><key>com.apple.developer.parent-application-identifiers</key>
                <array>\(texts)</array></dict></plist>
                """.utf8))
        #expect(AppleDeclaration(list, kind: .entitlements).parents.count == row.read)
    }

    private func project(
        _ objects: String, targets: String, files: [String: Int] = [:]
    ) throws -> XcodeProject {
        let text = "{objects = {\(objects) P = {targets = (\(targets));};}; rootObject = P;}"
        return try XcodeProject(OpenStepReader.read(Array(text.utf8)), in: "", named: "S") {
            name throws(FormatFault) in
            let id = Array("ID = a.b\n//".utf8)
            return files[name].map { id + [UInt8](repeating: UInt8(ascii: "x"), count: $0) }
        }
    }

    @Test("entitlements for other systems are bounded", arguments: [(52, 0), (53, 1)])
    func otherSystems(_ row: (targets: Int, unread: Int)) throws {
        let settings = ["watchos", "appletvos", "xros"].map { system in
            "\"CODE_SIGN_ENTITLEMENTS[sdk=\(system)*]\" = a; "
        }.joined()
        let list = (0..<64).map { "C\($0)," }.joined()
        var objects = "L = {buildConfigurations = (\(list));};"
        for number in 0..<64 {
            objects += "C\(number) = {name = R\(number); buildSettings = {\(settings)};};"
        }
        for number in 0..<row.targets {
            objects += "T\(number) = {name = T\(number); buildConfigurationList = L;};"
        }
        let targets = (0..<row.targets).map { "T\($0)," }.joined()
        #expect(try project(objects, targets: targets).unread.count == row.unread)
    }

    private func based(
        group: Int = 1, file: Int = 1, bytes: Int = 0
    ) throws -> XcodeProject.Configuration? {
        let group = String(repeating: "g", count: group)
        let file = String(repeating: "f", count: file)
        let objects = """
            T = {name = T; productType = "com.apple.product-type.application"; buildConfigurationList = L;};
            L = {buildConfigurations = (C);}; C = {name = Release; baseConfigurationReference = F;
            buildSettings = {PRODUCT_BUNDLE_IDENTIFIER = "$(ID)";};};
            G = {children = (F); path = \(group); sourceTree = SOURCE_ROOT;};
            F = {path = \(file); sourceTree = "<group>";};
            """
        return try project(objects, targets: "T", files: ["\(group)/\(file)": bytes])
            .configurations.first
    }

    @Test("the path of a file of settings is bounded", arguments: [(96, true), (97, false)])
    func paths(_ row: (bytes: Int, isKnown: Bool)) throws {
        let found = try based(group: 4_000, file: row.bytes)
        #expect(found?.bundleIdentifier == (row.isKnown ? .known("a.b") : .open))
    }

    @Test(
        "the bytes of files of settings are bounded",
        arguments: [(1_000_000, true), (16_777_216, false)])
    func settings(_ row: (bytes: Int, isKnown: Bool)) throws {
        let found = try based(bytes: row.bytes)
        #expect(found?.bundleIdentifier == (row.isKnown ? .known("a.b") : .open))
    }

    @Test(
        "a value with references in each other inherits, or does not end",
        arguments: [
            ("$(B)$(A)", true), ("$(B)$(inherited)", true), ("$(B", true), ("$(B)$(C)", false),
        ])
    func references(_ row: (value: String, isOpen: Bool)) {
        func layer(_ isWhole: Bool) -> BuildSettings.Layer {
            BuildSettings.layer([(name: Array("A".utf8), value: row.value)], isWhole: isWhole)
        }
        #expect(layer(true).values[Array("A".utf8)] == .some(row.value))
        #expect(layer(false).values[Array("A".utf8)] == .some(row.isOpen ? nil : row.value))
    }

    // MARK: Links out of a checkout

    @Test(
        "a link that is not read can be a part of a build",
        arguments: [
            ("app/src/release", true), ("app/src/main/AndroidManifest.xml", true),
            ("app/src/main/res", true), ("app/src/main/res/values/a.xml", true),
            ("app/build.gradle.kts", true), ("settings.gradle", true), ("buildSrc", true),
            ("app/src/debug", false), ("app/src/androidTest", false),
            ("app/src/main/assets", false), ("app/src/main/res/raw", false),
            ("web/src/shared", false), ("build/settings.gradle", false), ("docs", false),
            ("shop/hooks", true), ("shop/hooks/after_prepare/a.js", true), ("shop/.cordova", true),
            ("old/.cordova/hooks", true), ("hooks", false), ("shop/src/hooks", false),
        ])
    func links(_ row: (path: String, isOfBuild: Bool)) {
        let files = ["app/build.gradle", "shop/config.xml", "old/www/config.xml"]
        #expect(mayBeOfBuild(row.path) { files.contains($0) } == row.isOfBuild)
    }
}
