private import Memory

/// A text that is looked for in the records of links, where ASCII letters of either case are the same.
package struct RecordSearch: Sendable {
    fileprivate let sought: SoughtBytes

    /// - Returns: nil for fewer than two bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        guard let sought = SoughtBytes(bytes) else { return nil }
        self.sought = sought
    }

    /// Whether other bytes have it.
    package func isPart(of bytes: [UInt8]) -> Bool {
        sought.isPart(of: bytes.span, in: 0..<bytes.count)
    }
}

extension LinkIndex {
    /// The number of parts in which all links can be searched, a part at a time.
    package var partCount: Int { records.partCount + variants.partCount }

    /// Calls `body` with the numbers of the links of a part whose slug, an alias, destination or details have these bytes, and of
    /// those of which only their row can tell, because something is escaped in their details. Deleted links are left out. The number 0
    /// stands for links that no record can have (`LinkOddity`). A link can be in several parts.
    package func forEachLink(inPart part: Int, with text: RecordSearch, _ body: (UInt64) -> Void) {
        let table = part < records.partCount ? records : variants
        let own = part < records.partCount ? part : part - records.partCount
        table.forEach(inPart: own) { record in
            let view = LinkRecordView(record)
            guard view.ownSlug == nil else {
                // Of an alias. Its row tells whether the link is there.
                if text.sought.isPart(of: record, in: view.slug) { body(view.id) }
                return
            }
            guard view.state != .deleted else { return }
            let texts = view.slug.lowerBound..<view.details.upperBound
            if view.id == 0 || text.sought.isPart(of: record, in: texts) || view.hasEscapes(record)
            {
                body(view.id)
            }
        }
    }
}

extension LinkIndex {
    /// Calls `body` with the numbers of the links of a part that end in a period, in seconds since 1970. Deleted links are left out. The
    /// number 0 stands for links that no record can have (`LinkOddity`). A link can be in several parts.
    package func forEachLink(
        inPart part: Int, endingIn period: Range<Int>, _ body: (UInt64) -> Void
    ) {
        let table = part < records.partCount ? records : variants
        let own = part < records.partCount ? part : part - records.partCount
        table.forEach(inPart: own) { record in
            let view = LinkRecordView(record)
            guard view.ownSlug == nil, view.state != .deleted else { return }
            if view.id == 0 || view.until.map(period.contains) ?? false { body(view.id) }
        }
    }
}

extension LinkRecordView {
    fileprivate func hasEscapes(_ record: Span<UInt8>) -> Bool {
        record.has(UInt8(ascii: "\\"), in: details)
    }
}
