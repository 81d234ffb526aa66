package import Diagnostics
private import Files
package import SiteConfiguration
import Synchronization
package import URISyntax

/// The time zones of this machine, by their names in the system's zone data. A file is read once.
final class ZoneData: Sendable {
    let directory: String
    private let known = Mutex([String: ZoneRules]())

    init(_ directory: String = ZoneData.directory) { self.directory = directory }

    enum Failure: Error {
        /// There is no such zone, or its file cannot be used.
        case unknown
        /// The machine has no zones.
        case noData
    }

    static let directory = "/usr/share/zoneinfo"

    func rules(_ name: String) throws(Failure) -> ZoneRules {
        if let known = known.withLock({ $0[name] }) { return known }
        guard Self.isName(name) else { throw .unknown }
        guard let rules = read(name) else { throw read("Etc/UTC") == nil ? .noData : .unknown }
        known.withLock { $0[name] = rules }
        return rules
    }

    private func read(_ name: String) -> ZoneRules? {
        (try? readFile("\(directory)/\(name)", bytesMax: Self.bytesMax)).flatMap {
            ZoneRules($0.bytes)
        }
    }

    /// Whether it is the path of a file below the directory: words with slashes between them.
    private static func isName(_ name: String) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return name.utf8.count <= nameBytesMax
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF || "_-+".utf8.contains($0)
                    }
            }
    }

    private static let nameBytesMax = 64
    /// The greatest file has less than 4 KiB.
    private static let bytesMax = 65_536
}

extension LinkAPI {
    /// The time zone of a site in which visits can be summed up now; nil for UTC.
    func usedZone(_ site: Site, at now: Int) -> String? {
        guard let name = site.timeZone, let rules = try? zones.rules(name),
            rules.offset(at: now) % 3_600 == 0
        else { return nil }
        return name
    }

    /// The time zone that all sites with collections have; nil for UTC, and where they have several.
    package func zoneOfSites(at now: Int) -> (name: String, rules: ZoneRules)? {
        let names = Set(collections.map { usedZone($0.site.site, at: now) })
        guard names.count == 1, let name = names.first ?? nil, let rules = try? zones.rules(name)
        else { return nil }
        return (name, rules)
    }

    /// The reason for which the days of a site's statistics are those of UTC, although it has a time zone; nil if they are not.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - directory: of the system's zones.
    package static func faultOfZone(
        _ site: Site, at now: Int, in directory: String? = nil
    ) -> Diagnostic? {
        let zones = ZoneData(directory ?? ZoneData.directory)
        guard let name = site.timeZone else { return nil }
        let (fact, advice): (String, String)
        do throws(ZoneData.Failure) {
            guard try zones.rules(name).offset(at: now) % 3_600 != 0 else { return nil }
            fact =
                "is not a whole number of hours from UTC, and visits are counted by the hour of UTC"
            advice = "choose a zone with whole hours, or leave it out"
        } catch {
            (fact, advice) =
                switch error {
                case .noData:
                    (
                        "cannot be looked up: this machine has no zones in \(quoted(zones.directory))",
                        "install its package tzdata, or give a container that folder"
                    )
                case .unknown:
                    (
                        "is no zone in \(quoted(zones.directory))",
                        "write a name of the IANA database, such as Europe/Berlin"
                    )
                }
        }
        return Diagnostic(
            .warning, .wrongValue, at: site.timeZonePosition,
            "`time-zone` \(quoted(name)) \(fact); the console shows days of UTC", advice: advice)
    }
}
