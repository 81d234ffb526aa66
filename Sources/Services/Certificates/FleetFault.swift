import Diagnostics
import LinkStore

/// The reason why a node cannot follow the certificates that the nodes of a fleet have together, or requests none.
enum FleetFault {
    /// The database, or the way to it.
    case store(StoreError)
    /// A file that cannot be decrypted, with a key that this node has.
    case changed(String)
    /// A file of another key than this node's.
    case secret(String, own: String)
    /// The secret of the database that is used was never in a configuration of this process.
    case noSecret
    /// Files have later versions than the last change.
    case ahead
    /// The clock of this node is ahead of that of the database by so many seconds.
    case clock(offset: Int)

    var diagnostic: Diagnostic {
        let (message, advice) = words
        return Diagnostic(.error, .certificateState, at: nil, message, advice: advice)
    }

    private var words: (message: String, advice: String) {
        switch self {
        case .store(let error):
            let words = error.words
            return (
                "the nodes' common certificates cannot be read or changed: \(words.fact)",
                "this node serves the certificates that it has; renewals wait until that is over; "
                    + words.advice
            )
        case .changed(let name):
            return (
                "\(quoted(name)) of the nodes' common certificates cannot be decrypted: somebody has changed it",
                "nothing of it is used, and this node requests nothing; stop the nodes, delete the row from "
                    + "waymark.certificate_file, and start the node first that has the file"
            )
        case .secret(let key, let own):
            return (
                "the nodes' common certificates are encrypted with another secret: with the key "
                    + "\(key), and `store-secret` of this node gives \(own)",
                "give all nodes the same file, and reload; if the secret was changed, name the old file as the second "
                    + "of `store-secret`. Until then this node serves the certificates that it has, and requests none"
            )
        case .noSecret:
            return (
                "the nodes' common certificates cannot be read: the configuration has the secret of another store",
                "restart this node, which uses the store of its configuration then; until then it requests no certificates"
            )
        case .ahead:
            return (
                "rows of waymark.certificate_file have later versions than waymark.certificate_state: "
                    + "somebody has changed them, or has restored one of the tables alone",
                "they are not read, and this node requests nothing; set the version to that of the last row: "
                    + "UPDATE waymark.certificate_state SET version = "
                    + "(SELECT max(version) FROM waymark.certificate_file)"
            )
        case .clock(let offset):
            // It is said once, and not each time that it is a second more.
            let seconds = abs(offset) / 10 * 10
            return (
                "the clocks of this node and of the nodes' database differ: this one is \(seconds) seconds or more "
                    + (offset > 0 ? "ahead" : "behind"),
                "let both be set by a time server; until then this node serves the certificates that it has, and "
                    + "requests none, because other nodes cannot use the times that it notes"
            )
        }
    }
}
