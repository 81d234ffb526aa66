import TestSupport
import Testing

@testable import AppFiles

@Suite("The work for Xcode projects")
struct XcodeWorkTests {
    /// A project of apps with configurations of their own, each with an identifier and one of a few files.
    private func project(targets: Int, configurations: Int) -> String {
        var objects = ""
        for target in 0..<targets {
            var list = ""
            for number in 0..<configurations {
                list += "C\(target)_\(number),"
                objects += """
                    C\(target)_\(number) = {name = Release\(number); buildSettings = {
                    PRODUCT_BUNDLE_IDENTIFIER = com.example.a\(target).b\(number);
                    CODE_SIGN_ENTITLEMENTS = "E/\(number).entitlements"; };};

                    """
            }
            objects += """
                L\(target) = {buildConfigurations = (\(list));};
                T\(target) = {name = T\(target); buildConfigurationList = L\(target);
                productType = "com.apple.product-type.application";};

                """
        }
        let names = (0..<targets).map { "T\($0)," }.joined()
        return "{objects = {\(objects)P = {targets = (\(names));};}; rootObject = P;}"
    }

    private func read(_ text: String, files: Int) throws -> Int {
        let entitlements = """
            <plist><dict><key>com.apple.developer.associated-domains</key><array>
            <string>applinks:shop.example.com</string></array></dict></plist>
            """
        let names = (0..<files).map { "E/\($0).entitlements" }
        var checkout = Checkout(
            BundleFiles(names: ["S.xcodeproj/project.pbxproj"] + names) {
                name throws(FormatFault) in
                ByteSource(Array((name.hasSuffix("proj") ? text : entitlements).utf8))
            })
        return try checkout.apps.reduce(0) { try $0 + checkout.read($1).count }
    }

    @Test func `what a project costs grows with its targets`() throws {
        let (few, many) = (
            project(targets: 60, configurations: 4), project(targets: 480, configurations: 4)
        )
        #expect(try read(few, files: 4) == 240)
        func time(_ text: String) -> Duration {
            processorTime { _ = try? read(text, files: 4) }
        }
        #expect((1...3).contains { _ in time(many) < time(few) * 20 + .milliseconds(100) })
    }
}
