import Foundation
import TestSupport
import Testing

@Suite("waymark app with splits and configurations that are not compared")
struct AppSplitTests {
    /// A directory with a configuration of the app of the fixtures, and one for its source.
    private func directory() throws -> URL {
        let keys = try String(
            contentsOfFile: repository("Tests/Fixtures/app/files/keys.txt"), encoding: .utf8
        ).split(separator: "\n")
        let place = try appSite(
            "shop",
            "ios: {id: ABCDE12345.com.example.shop}, android: {package: com.example.shop, sha256: [\"\(keys[0])\"]}",
            host: "shop.example.com")
        try FileManager.default.createDirectory(
            at: place.appending(path: "source"), withIntermediateDirectories: true)
        return place
    }

    private func run(_ arguments: [String], in place: URL) throws -> Program.Outcome {
        try runApp(arguments + ["--env", "prod"], in: place)
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func chunk(_ type: Int, _ header: [UInt8], _ body: [UInt8]) -> [UInt8] {
        little(type, 2) + little(8 + header.count, 2) + little(8 + header.count + body.count, 4)
            + header + body
    }

    /// The binary manifest of a split, as aapt2 writes it.
    private func manifest(_ package: String, split: String) -> [UInt8] {
        let texts = ["manifest", "package", "split", package, split]
        var (offsets, data) = ([UInt8](), [UInt8]())
        for text in texts {
            offsets += little(data.count, 4)
            data += [UInt8(text.utf8.count), UInt8(text.utf8.count)] + Array(text.utf8) + [0]
        }
        while data.count % 4 != 0 { data.append(0) }
        let start = 28 + offsets.count
        let pool = chunk(
            0x0001,
            little(texts.count, 4) + little(0, 4) + little(0x100, 4) + little(start, 4)
                + little(0, 4), offsets + data)
        let none = little(0xFFFF_FFFF, 4)
        func attribute(_ name: Int, _ value: Int) -> [UInt8] {
            none + little(name, 4) + little(value, 4) + little(8, 2) + [0, 3] + little(value, 4)
        }
        let line = little(1, 4) + none
        let sizes = little(20, 2) + little(20, 2) + little(2, 2) + little(0, 6)
        let root = chunk(
            0x0102, line, none + little(0, 4) + sizes + attribute(1, 3) + attribute(2, 4))
        return chunk(0x0003, [], pool + root + chunk(0x0103, line, none + little(0, 4)))
    }

    /// An archive with one stored member.
    private func archive(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var sum = UInt32.max
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        let shared =
            little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(Int(~sum), 4)
            + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2)
            + little(0, 2)
        let local = little(0x0403_4B50, 4) + shared + Array(name.utf8) + content
        let entry =
            little(0x0201_4B50, 4) + little(20, 2) + shared + little(0, 2) + little(0, 2)
            + little(0, 2) + little(0, 4) + little(0, 4) + Array(name.utf8)
        return local + entry + little(0x0605_4B50, 4) + little(0, 4) + little(1, 2) + little(1, 2)
            + little(entry.count, 4) + little(local.count, 4) + little(0, 2)
    }

    @Test func `splits without their base have one row, and beside it none`() throws {
        let place = try directory()
        for name in ["config.de", "config.en"] {
            let bytes = archive(
                "AndroidManifest.xml", manifest("com.example.shop", split: name))
            try Data(bytes).write(to: place.appending(path: "source/split_\(name).apk"))
        }
        let alone = try run(["source"], in: place)
        #expect(alone.output.contains("source/split_config.de.apk: com.example.shop"), "\(alone)")
        #expect(alone.output.contains("give base.apk"), "\(alone)")
        #expect(!alone.output.contains("config.en"), "\(alone)")
        #expect(!alone.messages.contains("no file declares links"), "\(alone)")
        try FileManager.default.copyItem(
            atPath: repository("Tests/Fixtures/app/files/shop.apk"),
            toPath: place.appending(path: "base.apk").path)
        for arguments in [["source", "base.apk"], ["base.apk", "source"]] {
            let both = try run(arguments, in: place)
            #expect(both.output.contains("base.apk: com.example.shop"), "\(both)")
            #expect(!both.output.contains("split_"), "\(both)")
        }
    }

    /// A project whose last configuration has entitlements of its own.
    private func project(_ name: String) -> String {
        let configurations = [("Debug", "A"), ("Release", "A"), (name, "B")].enumerated().map {
            """
            C\($0) = {isa = XCBuildConfiguration; name = "\($1.0)"; buildSettings = {
            CODE_SIGN_ENTITLEMENTS = \($1.1).entitlements; DEVELOPMENT_TEAM = ABCDE12345;
            PRODUCT_BUNDLE_IDENTIFIER = com.example.shop; }; };
            """
        }.joined(separator: "\n")
        return """
            // !$*UTF8*$!
            { objects = {
            \(configurations)
            L = {isa = XCConfigurationList; buildConfigurations = (C0, C1, C2); };
            T = {isa = PBXNativeTarget; buildConfigurationList = L; name = Shop;
            productType = "com.apple.product-type.application"; };
            P = {isa = PBXProject; targets = (T); };
            }; rootObject = P; }
            """
    }

    @Test(
        "a configuration that no name calls a release is named, unless it is for debug builds",
        arguments: [
            ("Store", true, 0), ("Enterprise", true, 0), ("Distribution-AdHoc", true, 0),
            ("Profile", false, 0), ("Debug-prod", false, 0), ("AppStore", false, 1),
        ])
    func configurations(_ name: String, _ isNamed: Bool, _ status: Int32) throws {
        let place = try directory()
        let bundle = place.appending(path: "source/ios/Shop.xcodeproj")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        try Data(project(name).utf8).write(to: bundle.appending(path: "project.pbxproj"))
        for (file, service) in [("A", "applinks"), ("B", "applink")] {
            try Data(
                """
                <plist><dict><key>com.apple.developer.associated-domains</key>
                <array><string>\(service):shop.example.com</string></array></dict></plist>
                """.utf8
            ).write(to: place.appending(path: "source/ios/\(file).entitlements"))
        }
        let outcome = try run(["source"], in: place)
        #expect(outcome.status == status, "\(outcome)")
        let note = "not compared: ios: target Shop, \(name): of no release by name"
        #expect(outcome.messages.contains(note) == isNamed, "\(outcome)")
        #expect(outcome.messages.contains("not compared") == isNamed, "\(outcome)")
    }
}
