private import Files
import Synchronization
import URISyntax

/// The time zones of this machine, by their names in the system's zone data. A file is read once.
final class ZoneData: Sendable {
    private let known = Mutex([String: ZoneRules]())

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
        guard let rules = Self.read(name) else {
            throw Self.read("Etc/UTC") == nil ? .noData : .unknown
        }
        known.withLock { $0[name] = rules }
        return rules
    }

    private static func read(_ name: String) -> ZoneRules? {
        (try? readFile("\(directory)/\(name)", bytesMax: bytesMax)).flatMap { ZoneRules($0.bytes) }
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
