import Diagnostics
import JSONSyntax

/// The part of a fleet that `waymark certificates list` cannot see in the other files of a directory.
package struct FleetNote: Equatable, Sendable {
    /// The name of the node that has written it.
    package let node: String
    /// The node that requests certificates now; nil if none does.
    package let holder: String?
    /// The reason why this node requests none, and what an operator does about it; nil if there is none.
    package let fault: String?
    package let advice: String?

    package init(node: String, holder: String?, fault: String?, advice: String? = nil) {
        (self.node, self.holder, self.fault, self.advice) = (node, holder, fault, advice)
    }

    /// Reads the text of a note; nil if `json` has not written it.
    package init?(json bytes: [UInt8]) {
        let document = JSONDocument(bytes, file: "")
        guard document.isValid, let root = document.root, let node = root["node"]?.text else {
            return nil
        }
        self.init(
            node: node, holder: root["holder"]?.text, fault: root["fault"]?.text,
            advice: root["advice"]?.text)
    }

    package var json: [UInt8] {
        let members = [("node", node), ("holder", holder), ("fault", fault), ("advice", advice)]
            .compactMap { name, text in text.map { (key: name, value: JSONText.string($0)) } }
        return Array(JSONText.object(members).formatted.utf8)
    }

    /// A host whose certificate is due before those of all others.
    package struct Due: Equatable, Sendable {
        package let host: String
        /// As people read it.
        package let time: String
        package let isOver: Bool

        package init(host: String, time: String, isOver: Bool) {
            (self.host, self.time, self.isOver) = (host, time, isOver)
        }
    }

    /// The lines for people that say which node has the turn to request certificates, and when the next one is due. The first
    /// line is the fact.
    package func words(next: Due?) -> [String] {
        let name = "this node is \(quoted(node))"
        if let fault {
            return [
                "\(name), and requests no certificates: \(fault)",
                advice.map { "    \($0)" },
                "    other nodes that have no such fault go on requesting them",
            ].compactMap(\.self)
        }
        guard let holder else {
            let rest = "    the node that first finds one due takes the turn"
            return switch next {
            case nil:
                [
                    "\(name); no node has the turn to request certificates, because none is due",
                    rest,
                ]
            case let next? where next.isOver:
                [
                    "\(name); no node has the turn to request certificates, and \(quoted(next.host)) is due since "
                        + next.time,
                    "    a node takes the turn within seconds; if none does, see the log of each",
                ]
            case let next?:
                [
                    "\(name); no node has the turn to request certificates, because none is due before \(next.time), when "
                        + "\(quoted(next.host)) is",
                    rest,
                ]
            }
        }
        return [
            holder == node
                ? "\(name), and has the turn: it requests the certificates that are due, for all nodes"
                : "\(name); \(quoted(holder)) has the turn: it requests the certificates that are due, for all nodes",
            "    the turn is given back afterwards; if its node dies, another one goes on five minutes later",
        ]
    }
}
