/// The parts of a record besides its texts.
package struct LinkRecordHead: Sendable {
    package var collection: UInt32
    package var id: UInt64
    package var state = LinkRecord.State.active
    /// Whether the slug is an alias, so that the link's own slug is a text of the record, too.
    package var isAlias = false
    /// Seconds since 1970.
    package var from: Int?
    package var until: Int?

    package init(collection: UInt32, id: UInt64) { (self.collection, self.id) = (collection, id) }

    init(_ record: LinkRecord) {
        self.init(collection: record.collection, id: record.id)
        (state, isAlias) = (record.state, record.ownSlug != nil)
        (from, until) = (record.from, record.until)
    }

    init(_ view: LinkRecordView) {
        self.init(collection: view.collection, id: view.id)
        (state, isAlias) = (view.state, view.ownSlug != nil)
        (from, until) = (view.from, view.until)
    }

    /// The texts of a record, in their order. Only that of an alias has the link's own slug.
    package enum Part: Sendable { case slug, destination, details, ownSlug }

    /// Appends the bytes of a record. An odd one is written as disabled and without its texts, so
    /// that its slug stays taken, and not at all if its slug is what is odd. An alias has no texts either:
    /// the record of the link's own slug has them, if there can be one.
    /// - Parameter append: appends a text.
    /// - Returns: the range of the slug, and what is odd.
    func write(
        to bytes: inout [UInt8], _ append: (Part, inout [UInt8]) -> Void
    ) -> (slug: Range<Int>?, oddity: LinkOddity?) {
        let start = bytes.count
        var own = [UInt8]()
        if isAlias { append(.ownSlug, &own) }
        if own.count > LinkRecord.slugBytesMax { own = [] }
        let isThin = !own.isEmpty
        let (from, until) = isThin ? (nil, nil) : (from, until)
        bytes.append(UInt64(collection), bytes: 4)
        // The flags and the lengths follow from the texts.
        bytes.append(0, bytes: 4)
        bytes.append(id, bytes: 6)
        if let from { bytes.append(UInt64(bitPattern: Int64(from)), bytes: 8) }
        if let until { bytes.append(UInt64(bitPattern: Int64(until)), bytes: 8) }
        let slug = bytes.count
        append(.slug, &bytes)
        let destination = bytes.count
        if !isThin { append(.destination, &bytes) }
        let details = bytes.count
        if !isThin { append(.details, &bytes) }
        let oddity = LinkOddity(
            id, bytes, slug: slug..<destination, destination: destination..<details)
        if let oddity {
            let name = Array(bytes[slug..<destination])
            bytes.removeLast(bytes.count - start)
            if case .slugBytes = oddity { return (nil, oddity) }
            var odd = LinkRecordHead(collection: collection, id: 0)
            odd.state = state == .deleted ? .deleted : .disabled
            let written = odd.write(to: &bytes) { if $0 == .slug { $1 += name } }
            return (written.slug, oddity)
        }
        var flags = isThin && state == .active ? LinkRecord.State.disabled.rawValue : state.rawValue
        if from != nil { flags |= Flags.from }
        if until != nil { flags |= Flags.until }
        if isAlias { flags |= Flags.alias }
        if Self.changesRedirect(bytes[details...]) { flags |= Flags.changesRedirect }
        bytes[start + 4] = flags
        bytes[start + 5] = UInt8(destination - slug)
        bytes[start + 6] = UInt8(truncatingIfNeeded: details - destination)
        bytes[start + 7] = UInt8(truncatingIfNeeded: (details - destination) >> 8)
        if isAlias {
            bytes += own
            bytes.append(UInt8(own.count))
        }
        return (slug..<destination, nil)
    }

    /// Whether details mention what can change a redirect: actions or campaign parameters. A title
    /// that has such a word in quotes costs only time.
    private static func changesRedirect(_ details: ArraySlice<UInt8>) -> Bool {
        var rest = details
        while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[(quote + 1)...]
            if rest.starts(with: "web\"".utf8) || rest.starts(with: "campaign\"".utf8) {
                return true
            }
        }
        return false
    }
}

extension LinkRecordView {
    /// The range of a text in the bytes of the record.
    func range(_ part: LinkRecordHead.Part) -> Range<Int> {
        switch part {
        case .slug: slug
        case .destination: destination
        case .details: details
        case .ownSlug: ownSlug ?? 0..<0
        }
    }
}
