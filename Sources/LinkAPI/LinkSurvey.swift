package import Diagnostics
package import LinkIndex
import Resolution
import SiteConfiguration
import URISyntax

/// The links of a store that the served configuration would not take now: of collections that it does
/// not have, so that nobody gets them, with destinations that it does not allow any more, which
/// they keep, and with slugs that differ only in letter case where that does not matter any more.
package struct LinkSurvey {
    private struct Found {
        var count = 0
        var first = ""

        mutating func add(_ record: LinkRecord) {
            if count == 0 { first = String(decoding: record.slug, as: UTF8.self) }
            count += 1
        }
    }

    private var unknown = [String: Found]()
    private var notAllowed = [String: Found]()
    private var sameSlugs = [String: Found]()
    private let path: String

    /// Looks at every link.
    /// - Parameters:
    ///   - names: of the collections that the store has, by their numbers.
    ///   - path: of the store.
    package init(
        _ index: LinkIndex, _ names: [UInt32: CollectionName], at path: String, _ api: LinkAPI
    ) {
        self.path = path
        let served = Dictionary(
            api.collections.map { ($0.name.number, $0) }, uniquingKeysWith: { first, _ in first })
        // Closures cannot change what is not whole.
        var (unknown, notAllowed) = ([String: Found](), [String: Found]())
        index.forEach { bytes in
            let view = LinkRecordView(bytes)
            guard view.ownSlug == nil, view.state != .deleted, view.id > 0 else { return }
            let collection = served[view.collection]
            if let collection, collection.collection.destinations.contains(.everything) { return }
            let record = LinkRecord(bytes)
            if let collection {
                guard !collection.allows(record, changesRedirect: view.changesRedirect) else {
                    return
                }
                notAllowed[collection.name.description, default: Found()].add(record)
            } else if let name = names[view.collection] {
                unknown[name.description, default: Found()].add(record)
            }
        }
        (self.unknown, self.notAllowed) = (unknown, notAllowed)
        var sameSlugs = [String: Found]()
        index.forEachCaseVariant { bytes in
            let view = LinkRecordView(bytes)
            guard let collection = served[view.collection], !collection.collection.isExact else {
                return
            }
            sameSlugs[collection.name.description, default: Found()].add(LinkRecord(bytes))
        }
        self.sameSlugs = sameSlugs
    }

    /// Warnings for operators, one for each collection.
    package var findings: [Diagnostic] {
        func links(_ found: Found) -> String {
            "\(found.count == 1 ? "a link" : "\(found.count) links")"
        }
        func sorted(_ all: [String: Found]) -> [(key: String, value: Found)] {
            all.sorted { $0.key < $1.key }
        }
        return sorted(unknown).map { name, found in
            Diagnostic(
                .warning, .linkStore, at: nil,
                "\(quoted(path)) has \(links(found)) of the collection \(quoted(name)), which the "
                    + "configuration does not have, so nobody gets \(found.count == 1 ? "it" : "them"): "
                    + "\(quoted(found.first))\(found.count > 1 ? " and others" : "")",
                advice: "if the collection was renamed, give it its name back: links keep the name "
                    + "of their collection")
        }
            + sorted(notAllowed).map { name, found in
                Diagnostic(
                    .warning, .linkStore, at: nil,
                    "\(quoted(path)) has \(links(found)) of the collection \(quoted(name)) with "
                        + "destinations that it does not allow now, which "
                        + "\(found.count == 1 ? "it keeps" : "they keep"): \(quoted(found.first))"
                        + (found.count > 1 ? " and others" : ""),
                    advice: "`waymark links list` has the destinations; disable, change or delete "
                        + "what must not lead there")
            }
            + sorted(sameSlugs).map { name, found in
                Diagnostic(
                    .warning, .linkStore, at: nil,
                    "\(quoted(path)) has \(found.count == 1 ? "a slug" : "\(found.count) slugs") of the "
                        + "collection \(quoted(name)) that "
                        + "\(found.count == 1 ? "differs" : "differ") from another link's only in letter case, which does not matter there now: "
                        + quoted(found.first) + (found.count > 1 ? " and others" : ""),
                    advice:
                        "as it is written, each finds its own link; in other letter case, the link "
                        + "that the store has got first. Set `case: exact` again if people have both"
                )
            }
    }
}

extension LinkRecord {
    fileprivate init(_ bytes: Span<UInt8>) {
        var copy = [UInt8]()
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        self.init(copy)
    }
}

extension ServedCollection {
    /// Whether a link of the index could be made now, as far as its destinations go.
    fileprivate func allows(_ record: LinkRecord, changesRedirect: Bool) -> Bool {
        let text = String(decoding: record.destination, as: UTF8.self)
        if !text.isEmpty, !allows(text) { return false }
        guard changesRedirect else { return true }
        let details = StoredDetails(stored: record.details)
        let actions = [details.web, details.after].compactMap(\.self)
            .flatMap { Array($0.byPlatform.values) + [$0.otherwise].compactMap(\.self) }
        return actions.allSatisfy { action in
            switch action {
            case .redirect(let template, _):
                ["x", "y"].allSatisfy { allows(template.filled(with: $0)) }
            case .store: collection.allowsStores
            default: true
            }
        }
    }

    private func allows(_ text: String) -> Bool {
        (try? WebURL(text)).map { collection.allows($0, on: site.site) } ?? true
    }
}
