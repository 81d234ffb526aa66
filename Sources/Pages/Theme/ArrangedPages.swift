private import Synchronization

/// The pages of a theme that were laid out: what templates make of a shape never changes, and is
/// dear. Every copy of the theme has the same ones.
final class ArrangedPages: Sendable {
    private let pages = Mutex<[PageShape: ArrangedPage]>([:])

    /// Setting one is passed over where so many are kept that a site cannot have so many: links,
    /// kinds of clients and their browsers multiply to a few dozen.
    subscript(shape: PageShape) -> ArrangedPage? {
        get { pages.withLock { $0[shape] } }
        set {
            pages.withLock { pages in
                if pages.count < shapesMax { pages[shape] = newValue }
            }
        }
    }
}

private let shapesMax = 512
