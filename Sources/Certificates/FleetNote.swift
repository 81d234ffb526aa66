import Diagnostics
import JSONSyntax

/// The part of a fleet that `waymark certificates list` cannot see in the other files of a directory.
package struct FleetNote: Equatable, Sendable {
    /// The name of the node that has written it.
    package let node: String
    /// The node that requests certificates now; nil if none does.
    package let holder: String?
    /// The reason why this node requests none; nil if there is none.
    package let fault: String?

    package init(node: String, holder: String?, fault: String?) {
        (self.node, self.holder, self.fault) = (node, holder, fault)
    }

    /// Reads the text of a note; nil if `json` has not written it.
    package init?(json bytes: [UInt8]) {
        let document = JSONDocument(bytes, file: "")
        guard document.isValid, let root = document.root, let node = root["node"]?.text else {
            return nil
        }
        self.init(node: node, holder: root["holder"]?.text, fault: root["fault"]?.text)
    }

    package var json: [UInt8] {
        let members = [("node", node), ("holder", holder), ("fault", fault)].compactMap {
            name, text in text.map { (key: name, value: JSONText.string($0)) }
        }
        return Array(JSONText.object(members).formatted.utf8)
    }

    /// In words.
    package var words: String {
        if let fault { return "this node requests no certificates: \(fault)" }
        guard let holder else { return "no node requests a certificate now" }
        return "the node \(quoted(holder)) requests certificates now"
            + (holder == node ? ", which is this one" : "")
    }
}
