private import Diagnostics

/// A reason for which a database that several nodes share cannot be asked, or refuses something.
package enum DatabaseFault: Equatable, Sendable {
    /// It is not there, or does not answer in time.
    case away(String)
    /// Other nodes were in the way again and again.
    case busy(String)
    /// A password, a right or a library is not as it has to be.
    case refused(String)
    /// The library that speaks to it is not installed, or of no use.
    case noLibrary(String)
    /// Another server has taken the place of the one that was used.
    case isReplaced(String)
    /// It has no tables, or an empty store, and the node has links of another one.
    case isEmpty
    /// Its schema has tables of somebody else.
    case isForeign
    /// `waymark links copy` fills it, or has begun to.
    case isCopied
    /// A newer version of Waymark has made its tables, which this one cannot read.
    case isNewer(schema: Int, known: Int)
    /// The same, but this one can still read them.
    case isUnwritable(schema: Int, known: Int)
    /// Waymark makes no copy of it.
    case copiesItself

    /// The fact, and what an operator can do about it.
    package func words(_ place: String) -> (fact: String, advice: String) {
        let place = quoted(place)
        switch self {
        case .away(let reason): return ("\(place) does not answer: \(reason)", Self.goesOn)
        case .busy(let reason):
            return ("\(place) is busy with changes of other nodes: \(reason)", Self.goesOn)
        case .refused(let reason):
            return ("\(place) cannot be used: \(reason)", "correct that; \(Self.goesOn)")
        case .noLibrary(let reason):
            return (
                "\(place) cannot be asked: \(reason)",
                "install libpq 14 or later: the package `libpq5` of Debian and Ubuntu"
            )
        case .isReplaced(let reason):
            return (
                "\(place) has another primary: \(reason)",
                "the newer one is used from now on; stop the old one, because what was written to it since then is "
                    + "in no other server"
            )
        case .isEmpty:
            return (
                "\(place) is empty: it has none of the links that this node knows",
                "restore it; links that were read are answered until then, and nothing is written. If it is meant to "
                    + "be empty, stop all nodes, remove `links.base` of each, and start them"
            )
        case .isForeign:
            return (
                "the schema \"waymark\" of \(place) has tables that are not Waymark's, or lacks rows of them",
                "give Waymark a database of its own, or restore the one that was; this one is left as it is"
            )
        case .isCopied:
            return (
                "\(place) has a copy of links that is not complete",
                "wait for the end of `waymark links copy`, or run it again, which goes on"
            )
        case .isNewer(let schema, let known):
            return (
                "\(place) has tables of version \(schema), this program knows \(known)",
                "serve it with the newer Waymark"
            )
        case .isUnwritable(let schema, let known):
            return (
                "\(place) has tables of version \(schema), which this program can read and not "
                    + "change; it knows \(known)",
                "replace this node by the newer Waymark; links are answered until then"
            )
        case .copiesItself:
            return (
                "\(place) is a database server, whose copies its own tools make",
                "use `pg_dump`, or a base backup of the server"
            )
        }
    }

    /// Whether it is over as soon as the database answers.
    var endsWithAnswer: Bool {
        switch self {
        case .away, .busy, .refused, .noLibrary, .isReplaced, .isEmpty, .isForeign, .isCopied,
            .isNewer, .isUnwritable:
            true
        case .copiesItself: false
        }
    }

    private static let goesOn = "links that were read are answered, and it is tried again"
}
