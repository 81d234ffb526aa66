import Foundation
import Testing

@testable import URISyntax

/// Offsets of zones, beside Foundation's, which reads the same zones by other code.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")))
struct ZoneRulesTests {
    private func bytes(_ zone: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + zone)))
    }

    @Test(arguments: [
        "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/Sao_Paulo",
        "America/St_Johns", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe",
        "Australia/Sydney", "Pacific/Apia", "Pacific/Auckland", "America/Nuuk", "Africa/Cairo",
        "Asia/Jerusalem", "America/Santiago", "Etc/GMT+12", "Etc/UTC", "Antarctica/Troll",
    ]) func offsetsAreThoseOfOtherCode(_ zone: String) throws {
        let rules = try #require(ZoneRules(bytes(zone)))
        let other = try #require(TimeZone(identifier: zone))
        var wrong = [Int]()
        // Every five hours and a bit, also beyond the last change that the file has by name.
        for seconds in stride(from: 1_577_836_800, to: 2_300_000_000, by: 18_011) {
            let expected = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            if rules.offset(at: seconds) != expected { wrong.append(seconds) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func theClockChangesAtItsMoment() throws {
        let berlin = try #require(ZoneRules(bytes("Europe/Berlin")))
        // 25 October 2026, 01:00 UTC, and 29 March 2026, 01:00 UTC.
        #expect(
            berlin.offset(at: 1_792_889_999) == 7_200 && berlin.offset(at: 1_792_890_000) == 3_600)
        #expect(
            berlin.offset(at: 1_774_745_999) == 3_600 && berlin.offset(at: 1_774_746_000) == 7_200)
        // Far beyond the file's own changes.
        #expect(berlin.offset(at: 4_086_000_000) == 7_200)
        for seconds in [Int.min, .max] { _ = berlin.offset(at: seconds / 2) }
    }

    @Test func whatIsNoFileOfAZoneIsNone() throws {
        let whole = try bytes("Europe/Berlin")
        #expect(ZoneRules(whole) != nil)
        #expect((0..<whole.count).allSatisfy { ZoneRules(Array(whole[..<$0])) == nil })
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var damaged = whole
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<whole.count, using: &random)] = .random(in: 0...255)
            }
            _ = ZoneRules(damaged)?.offset(at: 1_792_890_000)
        }
    }

    @Test func rulesAreRead() throws {
        func offset(_ text: String, _ time: String) throws -> Int? {
            ZoneRule(ArraySlice(text.utf8))?.offset(at: try Timestamp(time).seconds)
        }
        #expect(try offset("EST5", "2026-07-01T00:00:00Z") == -18_000)
        #expect(try offset("<+0530>-5:30", "2026-07-01T00:00:00Z") == 19_800)
        #expect(try offset("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z") == -14_400)
        // Ireland's summer is its standard time.
        let dublin = "IST-1GMT0,M10.5.0,M3.5.0/1"
        #expect(try offset(dublin, "2026-07-01T00:00:00Z") == 3_600)
        #expect(try offset(dublin, "2026-12-01T00:00:00Z") == 0)
        for text in [
            "", "E5", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5x",
            "EST5EDT,M3.2.0,M11.1.0x", "EST999", "<EST5",
        ] { #expect(ZoneRule(ArraySlice(text.utf8)) == nil, "\(text)") }
    }
}
