import Associations
import Linting
import TestSupport
import Testing

@testable import AppFiles

@Suite("The work for apps beside sites that list many")
struct AppWorkTests {
    /// The apps of a target with some configurations, each of which is a flavour beside the others.
    private func flavors(of target: Int) throws -> [AppDeclaration] {
        let list = try PropertyList.read(
            Array(
                """
                <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
                <array><string>applinks:shop.example.com</string></array></dict></plist>
                """.utf8))
        let names = (0..<32).map { "com.example.a\(target).b\($0)" }
        return names.map { name in
            var app = AppleDeclaration(list, kind: .entitlements)
            app.use = XcodeUse(
                target: "T\(target)", configurations: ["Release"], bundleIdentifier: name,
                team: "ABCDE12345")
            app.use?.others = names.filter { $0 != name }
            return .apple(app)
        }
    }

    private func site(_ count: Int) -> SiteHalf {
        let apps = (0..<count).map { "\"ABCDE12345.com.example.a\($0).b0\"" }.joined(separator: ",")
        let text =
            "{\"applinks\":{\"details\":[{\"appIDs\":[\(apps)],\"components\":[{\"/\":\"/*\"}]}]}}"
        return SiteHalf(AssociationReading(Array(text.utf8), file: "aasa"), nil)
    }

    @Test func `flavours are looked up among the apps of a site`() throws {
        func time(_ count: Int) throws -> Duration {
            let declarations = try (0..<count).map(flavors)
            let site = site(count)
            return processorTime {
                let comparison = AppComparison([site])
                for declarations in declarations { _ = comparison.leftOut(of: declarations) }
            }
        }
        let one = AppComparison([site(2)])
        #expect(try one.leftOut(of: flavors(of: 1)).count == 31)
        #expect(try (1...3).contains { _ in try time(160) < time(10) * 40 + .milliseconds(50) })
    }
}
