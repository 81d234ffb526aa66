import Foundation
import SiteConfiguration
import Snapshots
import Testing

@testable import Origin
import TestSupport

@Suite("The table of limits")
struct LimitTableTests {
    @Test("what is usual is what the origin does", arguments: Limit.allCases)
    func usual(_ limit: Limit) {
        #expect(OriginLimits()[limit] == limit.usual)
        #expect(limit.range.contains(limit.usual))
    }

    @Test("each can be set to its least and to its most", arguments: Limit.allCases)
    func bounds(_ limit: Limit) {
        for value in [limit.range.lowerBound, limit.range.upperBound] {
            var settings = LimitSettings()
            settings[limit] = value
            let limits = OriginLimits().setting(settings)
            limits.check()
            #expect(limits[limit] == value || limits[limit] == limits[.headerBytes])
        }
    }

    @Test func `all can be set to their least, and to their most`() {
        for bound in [\ClosedRange<Int>.lowerBound, \.upperBound] {
            var settings = LimitSettings()
            for limit in Limit.allCases { settings[limit] = limit.range[keyPath: bound] }
            let limits = OriginLimits().setting(settings)
            limits.check()
            #expect(limits[.headerBytes] == Limit.headerBytes.range[keyPath: bound])
        }
    }

    @Test func `a connection takes little memory beside that of its TLS session`() {
        #expect(MemoryLayout<Connection>.stride <= 512)
    }

    @Test("docs/limits.md has each with its values", arguments: Limit.allCases)
    func isDocumented(_ limit: Limit) throws {
        let text = try String(contentsOfFile: repository("docs/limits.md"), encoding: .utf8)
        func digits(_ number: Int) -> String {
            number.formatted(.number.locale(Locale(identifier: "en_US")))
        }
        let range = "\(digits(limit.range.lowerBound)) to \(digits(limit.range.upperBound))"
        #expect(text.contains("| `\(limit.rawValue)` | \(digits(limit.usual)) | \(range) |"))
    }
}
