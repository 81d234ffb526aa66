import Diagnostics
import Files
package import LinkStore
package import SharedStore
package import SiteConfiguration

/// The place of the store that a service opens.
package enum ServedStore: Sendable {
    /// A file, which no other process serves.
    case file(String)
    /// A database that several nodes share, and the directory of what is this node's alone.
    case database(PostgreSQLPlace, own: String)

    /// Whether several nodes can share it.
    var isShared: Bool { if case .database = self { true } else { false } }

    /// - Parameters:
    ///   - own: the directory of what is this node's alone.
    ///   - linkBytesMax: the memory that links may have.
    package init(_ reference: StoreReference, own: String, linkBytesMax: Int = .max) {
        switch reference {
        case .file(let file): self = .file(file.path)
        case .database(let database):
            let name = database.name
            var place = PostgreSQLPlace(database.location, node: Self.ownName) {
                () throws(StoreError) in
                try readPassword(database.password, of: name)
            }
            place.limitLoads(toLinkBytes: linkBytesMax)
            self = .database(place, own: own)
        }
    }

    /// The place of a database that several nodes share; nil for a file.
    var place: PostgreSQLPlace? {
        if case .database(let place, _) = self { place } else { nil }
    }

    /// The name of this process among the nodes of a database; nil for a file.
    package var node: String? { place?.node }

    /// The directory of what an answer does not keep in memory.
    var directory: String {
        switch self {
        case .file(let path): parentDirectory(of: path)
        case .database(_, let own): own
        }
    }

    /// The path of the file; or the servers and the database, for people.
    var name: String {
        switch self {
        case .file(let path): path
        case .database(let place, _): place.description
        }
    }

    /// The same for what is counted of visits.
    var visitsName: String {
        switch self {
        case .file(let path): "\(path).visits"
        case .database(let place, _): "\(place.description), visits"
        }
    }

    /// The file with the secret of the process.
    var secretPath: String {
        switch self {
        case .file(let path): "\(path).token"
        case .database(_, let own): Self.secretPath(own: own)
        }
    }

    /// The file with the secret of a process whose store is a database.
    package static func secretPath(own: String) -> String { "\(own)/links.token" }

    /// - Parameter seen: the history of a database that this node has seen before it was started.
    func open(seen: KnownHistory? = nil) throws(StoreError) -> LinkStore {
        switch self {
        case .file(let path): try LinkStore(path)
        case .database(let place, _): try LinkStore(place, seen: seen)
        }
    }

    /// The time after which a store that could not be opened is tried again.
    var retryMilliseconds: Int {
        switch self {
        case .file: 5_000
        case .database: 1_000
        }
    }

    /// The name of this process among the nodes of a database.
    private static let ownName: String = nodeName(
        machine: machineName(), life: .random(in: 0 ... .max))

    /// The name of a machine, and the number of a life of a process there: two processes of a machine differ, and so
    /// does one from those that ran before it.
    package static func nodeName(machine: String?, life: UInt32) -> String {
        "\(machine ?? "node").\(life)"
    }
}

/// Reads the password of a database, for each connection: so that another one acts without a restart.
package func readPassword(_ file: FileReference?, of place: String) throws(StoreError) -> String? {
    guard let file else { return nil }
    do throws(SecretFileFault) {
        return try readSecret(file)
    } catch {
        throw .database(
            place: place,
            .refused("the file of its password, \(quoted(file.path)), \(error.reason)"))
    }
}
