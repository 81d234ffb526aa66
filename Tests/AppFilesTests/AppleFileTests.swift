import Testing

@testable import AppFiles

@Suite("Files of Apple's apps, made by other programs")
struct AppleFileTests {
    private let domains = ["applinks:shop.example.com"]

    @Test("entitlements are read in each form", arguments: ["entitlements.bplist", "thin", "fat"])
    func entitlements(_ name: String) throws {
        let declaration = try #require(try Made.apple(name).first)
        #expect(declaration.applicationIdentifier == "ABCDE12345.com.example.shop")
        #expect(declaration.listed == domains)
        #expect(declaration.isForDevelopment == false)
        #expect(!declaration.formsDiffer)
        #expect(!declaration.isClip)
    }

    @Test(
        "the two forms of a signature, or two slices, that differ are told",
        arguments: [
            "fat-differs", "forms-differ",
        ])
    func differ(_ name: String) throws {
        #expect(try #require(try Made.apple(name).first).formsDiffer)
    }

    @Test(
        "a profile is read in DER and BER",
        arguments: ["shop.mobileprovision", "shop-ber.mobileprovision"])
    func profile(_ name: String) throws {
        let declaration = try #require(try Made.apple(name).first)
        #expect(declaration.applicationIdentifier == "ABCDE12345.*")
        if case .star = declaration.domains {} else { Issue.record("\(declaration.domains)") }
    }

    @Test func `a profile without domains has none`() throws {
        let declaration = try #require(try Made.apple("bare.mobileprovision").first)
        if case .missing = declaration.domains {} else { Issue.record("\(declaration.domains)") }
    }

    @Test func `an archive has the app and its clip, and no extension without domains`() throws {
        let declarations = try Made.apple("shop.ipa")
        #expect(
            declarations.map(\.bundle) == [
                "Payload/Shop.app", "Payload/Shop.app/AppClips/Clip.app",
            ])
        #expect(
            declarations.map(\.bundleIdentifier) == ["com.example.shop", "com.example.shop.Clip"])
        #expect(declarations.map(\.isClip) == [false, true])
        #expect(declarations[0].listed == domains)
        #expect(declarations[0].profileAllowsDomains == true)
        #expect(declarations[1].listed == ["appclips:shop.example.com"])
        #expect(declarations[1].profileAllowsDomains == nil)
    }

    @Test func `an app without its Info.plist is refused, though its extensions have theirs`()
        throws
    {
        let archive = try ZipArchive(ByteSource(Made.bytes("shop.ipa")))
        for missing in ["", "/Clip", "/Shop"] {
            let names = archive.names.filter { !$0.hasSuffix("\(missing).app/Info.plist") }
            let files = BundleFiles(names: missing.isEmpty ? archive.names : names) {
                name throws(FormatFault) in try archive.member(name)
            }
            var fact: String?
            do { _ = try AppFile.read(bundles: files) } catch { fact = error.fact }
            #expect(
                fact
                    == (missing == "/Shop"
                        ? "has a bundle \"Payload/Shop.app\" without an Info.plist" : nil))
        }
    }

    /// A signature with one blob, to which each of the slots refers.
    private func signature(_ slots: [UInt8], _ text: String) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let start = 12 + 8 * slots.count
        let blob = big(0xFADE_7171) + big(8 + text.utf8.count) + Array(text.utf8)
        return big(0xFADE_0CC0) + big(start + blob.count) + big(slots.count)
            + slots.flatMap { big(Int($0)) + big(start) } + blob
    }

    @Test func `a signature has each of its parts once`() throws {
        let list = "<plist><dict/></plist>"
        #expect(try CodeSignature(signature([5], list)).xml?.isDictionary == true)
        #expect(throws: FormatFault.self) { try CodeSignature(signature([5, 5], list)) }
    }

    @Test("entitlements are a dictionary", arguments: ["<array/>", "<string>a</string>"])
    func isDictionary(_ value: String) {
        #expect(throws: FormatFault.self) {
            try CodeSignature(signature([5], "<plist>\(value)</plist>"))
        }
    }

    @Test func `an executable without a signature has no entitlements`() {
        #expect(throws: FormatFault.self) { try Made.apple("unsigned") }
    }

    @Test func `DER that another program wrote is read`() throws {
        let list = try EntitlementsDER.read(Made.bytes("shop.der"))
        #expect(list["application-identifier"]?.text == "ABCDE12345.com.example.shop")
        #expect(
            list["com.apple.developer.associated-domains"]?.items?.compactMap(\.text) == domains)
        #expect(list["get-task-allow"]?.flag == false)
    }

    @Test func `slices that overlap are refused`() throws {
        var fat = try Made.bytes("fat")
        // The offset of the second slice becomes that of the first.
        fat.replaceSubrange(36..<40, with: fat[16..<20])
        #expect(refusal(fat)?.fact == "has a damaged executable")
    }

    @Test func `an app may have 2,000 domains, and not one more`() {
        func list(_ count: Int) -> String {
            "<plist><dict><key>com.apple.developer.associated-domains</key><array>"
                + String(
                    repeating: "<string>applinks:a.example?mode=developer</string>", count: count)
                + "</array></dict></plist>"
        }
        #expect(refusal(list(2_000)) == nil)
        #expect(
            refusal(list(2_001))?.fact
                == "declares 2001 domains or hosts, schemes and paths, may declare 2000")
    }

    static let others: [(text: String, fact: String)] = [
        ("{}", "is no known file of an app"),
        ("", "is empty"),
        ("Certificate:\nno certificate", "is no known file of an app"),
        ("<html/>", "is XML with the root \"html\", which no known file of an app has"),
        (
            "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>",
            "is an Info.plist, which declares no associated domains"
        ),
        ("<plist><array/></plist>", "is a property list, but no dictionary"),
    ]

    @Test func `a text in UTF-16 is told to be one`() {
        for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            let bytes = mark + "<plist/>".utf8.flatMap { [$0, 0] }
            #expect(refusal(bytes)?.fact == "is a text in UTF-16, must be in UTF-8")
        }
    }

    @Test("another file is refused with what it is", arguments: others)
    func refuses(_ row: (text: String, fact: String)) {
        #expect(refusal(row.text)?.fact == row.fact)
    }
}
