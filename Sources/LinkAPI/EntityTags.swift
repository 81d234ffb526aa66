import LinkStore

extension StoredLink {
    var entityTag: String { "\"\(generation)\"" }
}

extension String {
    /// True if a list of entity tags has this one (RFC 9110 §13.1.1); weak ones are never the same.
    func names(_ tag: String) -> Bool { tags.contains { $0.elementsEqual(tag.utf8) } }

    /// The same where weak ones are the same as strong ones (RFC 9110 §13.1.2).
    func namesWeakly(_ tag: String) -> Bool {
        tags.contains {
            ($0.starts(with: "W/".utf8) ? $0.dropFirst(2) : $0).elementsEqual(tag.utf8)
        }
    }

    private var tags: [Substring.UTF8View] {
        utf8.split(separator: UInt8(ascii: ",")).map { part in
            let text = part.drop { $0 == 0x20 || $0 == 0x09 }
            let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }
            return text[..<(end.map { text.index(after: $0) } ?? text.startIndex)]
        }
    }
}
