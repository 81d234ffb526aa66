import Associations
import Diagnostics
import Foundation
import Testing
import URISyntax

@testable import SiteConfiguration
import TestSupport

@Suite("Sites from the field")
struct SiteTests {
    /// What each site published, its prefixes made ten characters long.
    static let published = [
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
                {"appID": "W4X7K2M9QH.at.willhaben.mobileapp", "paths": ["/anzeigenaufgabe"]},
                {"appID": "H9QM2K7X4W.at.willhaben.mobileapp.dev",
                 "paths": ["/anzeigenaufgabe", "/auto-verkaufen"]}]}}
            """#
        ),
    ]

    @Test("the legacy form is equal in value to what the site published", arguments: published)
    func legacy(_ name: String, _ published: String) throws {
        let prod = try #require(try site(name).environment(named: "prod")?.sites[0])
        let file = try #require(prod.associations.generated)
        #expect(try json(file.serialized(as: .legacy)) == json(Array(published.utf8)))
    }

    @Test("the modern form has the same apps and links", arguments: published)
    func modern(_ name: String, _ published: String) throws {
        let prod = try #require(try site(name).environment(named: "prod")?.sites[0])
        let bytes = try #require(prod.associations.aasa)
        let text = String(decoding: bytes, as: UTF8.self)
        let old = try #require(try json(Array(published.utf8))["applinks"] as? NSDictionary)
        let new = try #require(try json(bytes)["applinks"] as? NSDictionary)
        let oldDetails = try #require(old["details"] as? [NSDictionary])
        let newDetails = try #require(new["details"] as? [NSDictionary])
        #expect(
            newDetails.map { $0["appIDs"] as? [String] }
                == oldDetails.map { detail in
                    (detail["appID"] as? String).map { [$0] }
                })
        #expect(
            newDetails.map { ($0["components"] as? [[String: String]])?.map { $0["/"] } }
                == oldDetails.map { ($0["paths"] as? [String])?.map(Optional.init) })
        #expect(!text.contains("paths"))
    }

    @Test("every environment is read without a finding", arguments: ["rwdevcon", "willhaben"])
    func isClean(_ name: String) {
        #expect(Configuration.load(path: fixtures("sites/\(name)/waymark.yaml")).diagnostics == [])
    }

    @Test func `promoting a link to production is a change of one word`() throws {
        let path = fixtures("sites/willhaben/waymark.yaml")
        let data = try #require(FileManager.default.contents(atPath: path))
        let before = String(decoding: data, as: UTF8.self)
        let after = before.replacingOccurrences(
            of: "willhaben: [ad-insertion]", with: "willhaben: [ad-insertion, car-sale]")
        #expect(after.utf8.count == before.utf8.count + ", car-sale".utf8.count)
        let (site, diagnostics) = Configuration.read(
            Array(after.utf8), file: "waymark.yaml", directory: ".")
        #expect(diagnostics == [])
        let prod = try #require(site?.environment(named: "prod")?.sites[0])
        let app = try #require(prod.publications.first)
        #expect(app.app.key == "willhaben")
        #expect(app.components.map(\.path) == ["/anzeigenaufgabe", "/auto-verkaufen"])
    }

    @Test func `an environment has what it inherits and what it says itself`() throws {
        let site = try site("willhaben")
        #expect(site.environments.map(\.name) == ["prod", "uat", "dev"])
        let prod = try #require(site.environment(named: "prod")?.sites[0])
        let dev = try #require(site.environment(named: "dev")?.sites[0])
        #expect(dev.hosts.map(\.description) == ["mobile-dev.willhaben.at", "localhost"])
        #expect(prod.hosts.map(\.description) == ["mobile.willhaben.at"])
        #expect(dev.isClosedToRobots)
        #expect(!prod.isClosedToRobots)
        #expect(dev.associations.aasa == prod.associations.aasa)
        #expect(dev.certificates == prod.certificates)
    }

    @Test func `the example at the top is the site of the fixtures`() throws {
        let top = FileManager.default.contents(atPath: repository("waymark.yaml"))
        let fixture = FileManager.default.contents(
            atPath: fixtures("sites/willhaben/waymark.yaml"))
        #expect(top != nil)
        #expect(top == fixture)
    }

    private func site(_ name: String) throws -> Configuration {
        try #require(Configuration.load(path: fixtures("sites/\(name)/waymark.yaml")).configuration)
    }

    private func json(_ bytes: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
    }
}
