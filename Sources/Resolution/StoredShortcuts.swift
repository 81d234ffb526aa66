import Associations
import SiteConfiguration

// Most stored links redirect every visitor to their destination. For these, the path alone determines
// the collection, and the rules of the links need not be evaluated.

/// The collections that are folders (`LinkFolder`), and whose links lead everybody to their
/// destination, unless a link itself says something else.
struct StoredShortcuts: Sendable {
    private let folders: PathTable
    /// By the numbers of `folders`.
    private let collections: [Collection]

    struct Collection: BitwiseCopyable, Sendable {
        let link: Int
        let number: UInt32
        let isExact: Bool
    }

    /// - Parameter actions: of these links.
    init(_ links: [Link], _ actions: [LinkActions]) {
        let found = LinkFolder.all(of: links) { actions[$0].plainNumber != nil }
        folders = PathTable(found.enumerated().map { ($1.path, $0) })
        collections = found.map { folder in
            Collection(
                link: folder.link, number: actions[folder.link].plainNumber ?? 0,
                isExact: actions[folder.link].isExact)
        }
    }

    /// The collection of a path, and where its slug is. What is in the path is the same with and
    /// without percent-encoding.
    @inline(__always)
    func find(_ text: [UInt8], _ path: Range<Int>) -> (Collection, slug: Range<Int>)? {
        guard let (folder, slug) = LinkFolder.split(text.span, path),
            let number = folders.find(text, folder)
        else { return nil }
        return (collections[number], slug)
    }
}

extension LinkActions {
    /// The collection's number, if all its links lead everybody to their destination.
    fileprivate var plainNumber: UInt32? {
        isEmpty && period == nil && after == nil ? collectionNumber : nil
    }
}

extension LinkResolver {
    /// Finds the stored link that a path is of, if everybody is led to its destination: what
    /// `decide` would find out, without its other questions. Nil leaves them to `decide`.
    /// - Parameters:
    ///   - path: without percent-encoding, and without a query behind it.
    ///   - scratch: gets the destination.
    /// - Returns: the numbers of the collection's link and of the stored link.
    package func redirectStored(
        _ text: [UInt8], _ path: Range<Int>, _ scratch: inout LinkScratch
    ) -> (link: Int, id: UInt64)? {
        guard let (collection, slug) = shortcuts.find(text, path),
            scratch.findStored(
                collection.number, text.span.extracting(slug), isExact: collection.isExact)
        else { return nil }
        return scratch.takeDestination().map { (collection.link, $0) }
    }
}
