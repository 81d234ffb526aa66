import TestSupport
import Testing

@testable import AppFiles

@Suite("Domains of source that configurations fill in")
struct DomainFormTests {
    private func settings(_ value: String, count: Int = 10) -> BuildSettings {
        BuildSettings([
            BuildSettings.layer(
                (0..<count).map { (name: Array("A\($0)".utf8), value: Optional("\(value)\($0)")) })
        ])
    }

    private func domains(_ count: Int, variables: Int) -> [AppleDeclaration.Domain] {
        (0..<count).map {
            AppleDeclaration.Domain(text: "applinks:$(A\($0 % variables)).example", place: nil)
        }
    }

    @Test func `configurations with the same values have one list`() {
        let forms = DomainForms(domains(100, variables: 10))
        let found = ["x", "y", "x", "x"].map { forms.form(settings($0)) }
        #expect(found.map(\.number) == [0, 1, 0, 0])
        #expect(found[1].domains[13].text == "applinks:y3.example")
        #expect(found[1].domains[13].origin == "A3 of the project")
        // Each variable is filled in once for a configuration, and not for each domain.
        #expect(forms.count == 40)
        #expect(forms.formCount == 2)
    }

    @Test func `what configurations fill in has a bound`() {
        let forms = DomainForms(domains(1_000, variables: 1_000))
        let (first, other) = (settings("x", count: 1_000), settings("y", count: 1_000))
        for _ in 0..<100 { _ = forms.form(first) }
        #expect(!forms.isOpen)
        #expect(forms.form(first).domains[0].text == "applinks:$(A0).example")
        #expect(forms.isOpen)
        for _ in 0..<100 { _ = forms.form(other) }
        #expect(forms.formCount == 1)
        #expect(forms.count == 101_000)
    }

    @Test func `the bytes that configurations fill in have a bound`() {
        let forms = DomainForms(domains(1_000, variables: 1_000))
        let long = settings(String(repeating: "x", count: 4_000), count: 1_000)
        _ = forms.form(long)
        #expect(!forms.isOpen)
        #expect(forms.form(long).number == 0)
        #expect(forms.isOpen)
        #expect(forms.form(long).domains[0].text == "applinks:$(A0).example")
    }

    private func read(configurations: Int, domains: Int) throws -> [AppleDeclaration] {
        var objects = ""
        for number in 0..<configurations {
            objects += """
                C\(number) = {name = Release\(number); buildSettings = {
                PRODUCT_BUNDLE_IDENTIFIER = com.example.shop; HOST = a\(number % 2).example;
                CODE_SIGN_ENTITLEMENTS = Shop.entitlements; };};

                """
        }
        let list = (0..<configurations).map { "C\($0)," }.joined()
        let project = """
            {objects = {\(objects)L = {buildConfigurations = (\(list));};
            T = {name = T; buildConfigurationList = L;
            productType = "com.apple.product-type.application";};
            P = {targets = (T);};}; rootObject = P;}
            """
        let texts = (0..<domains).map { "<string>applinks:w\($0).$(HOST)</string>" }.joined()
        let entitlements = """
            <plist><dict><key>com.apple.developer.associated-domains</key><array>\(texts)</array></dict></plist>
            """
        var checkout = Checkout(
            BundleFiles(names: ["S.xcodeproj/project.pbxproj", "Shop.entitlements"]) {
                name throws(FormatFault) in
                ByteSource(Array((name.hasSuffix("proj") ? project : entitlements).utf8))
            })
        return try checkout.read("Shop.entitlements").compactMap { declaration in
            if case .apple(let app) = declaration { app } else { nil }
        }
    }

    @Test func `an app whose domains are not filled in says why`() throws {
        let known = try read(configurations: 50, domains: 1_900)
        #expect(known.count == 2)
        #expect(known.flatMap(\.unread).isEmpty)
        #expect(known[1].listed?.last == "applinks:w1899.a1.example")
        let open = try read(configurations: 60, domains: 1_900)
        #expect(open.count == 3)
        let unread = try #require(open.last?.unread.first)
        #expect(unread.name == "Shop.entitlements")
        #expect(unread.fact.contains("more than 100000"))
        #expect(open.last?.listed?.first == "applinks:w0.$(HOST)")
    }

    // MARK: Bundles

    /// An executable that is signed with entitlements, without a certificate.
    private func executable(_ domains: Int) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        func little(_ values: Int...) -> [UInt8] { values.flatMap { big($0).reversed() } }
        let texts = (0..<domains).map { "<string>appclips:w\($0).example</string>" }.joined()
        let xml = Array(
            """
            <plist><dict><key>com.apple.developer.associated-domains</key><array>\(texts)</array></dict></plist>
            """.utf8)
        let blob = big(0xFADE_7171) + big(xml.count + 8) + xml
        let signature = big(0xFADE_0CC0) + big(20 + blob.count) + big(1) + big(5) + big(20) + blob
        let head = little(0xFEED_FACF, 0x0100_000C, 0, 2, 1, 16, 0, 0)
        return head + little(0x1D, 16, 48, signature.count) + signature
    }

    private func read(bundles: Int, domains: Int) throws(FormatFault) -> [AppDeclaration] {
        let (info, executable) = (
            Array(
                "<plist><dict><key>CFBundleExecutable</key><string>X</string></dict></plist>".utf8),
            executable(domains)
        )
        let paths =
            ["Payload/S.app"] + (1..<bundles).map { "Payload/S.app/AppClips/C\($0).app" }
        return try AppFile.read(
            bundles: BundleFiles(names: paths.flatMap { ["\($0)/Info.plist", "\($0)/X"] }) {
                name throws(FormatFault) in
                ByteSource(name.hasSuffix("/X") ? executable : info)
            })
    }

    @Test func `the domains of all bundles of an app have a bound`() throws {
        let known = try read(bundles: 20, domains: 1_000)
        #expect(known.count == 20)
        guard case .apple(let clip)? = known.last else {
            Issue.record("\(known.count) bundles, the last of which is no app of Apple's")
            return
        }
        #expect(clip.enclosing?.hostsOfClips?.count == 1_000)
        do throws(FormatFault) {
            _ = try read(bundles: 21, domains: 1_000)
            Issue.record("it is read")
        } catch {
            #expect(
                error.fact == "has bundles that declare more than 20000 domains together")
        }
    }
}
