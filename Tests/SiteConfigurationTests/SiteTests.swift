import Associations
import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration

@Suite("Sites from the field")
struct SiteTests {
    @Test(
        "the legacy form is what the site publishes",
        arguments: [
            (
                "rwdevcon",
                #"""
                {"applinks": {"apps": [], "details": [
                    {"appID": "KFCNEC27GU.com.razeware.RWDevCon", "paths": ["/videos/*"]}]}}
                """#
            ),
            (
                "willhaben",
                #"""
                {"applinks": {"apps": [], "details": [
                    {"appID": "ABCDE12345.at.willhaben.mobileapp", "paths": ["/anzeigenaufgabe"]},
                    {"appID": "FGHIJ67890.at.willhaben.mobileapp.dev",
                     "paths": ["/anzeigenaufgabe", "/auto-verkaufen"]}]}}
                """#
            ),
        ])
    func legacy(_ site: String, _ published: String) throws {
        let path = fixtures("sites/\(site)/waymark.yaml")
        let (read, diagnostics) = Configuration.load(path: path)
        #expect(diagnostics == [])
        let prod = try #require(read?.environment(named: "prod"))
        print(prod.associations.aasa.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
