private import Synchronization

/// The layouts of a theme's pages. The layout for a shape never changes, and is expensive to
/// compute. Every copy of the theme shares them.
final class ArrangedPages: Sendable {
    private let pages = Mutex<[PageShape: ArrangedPage]>([:])

    /// A new layout is not kept if there are too many; links, kinds of clients and their browsers
    /// give only a few dozen shapes.
    subscript(shape: PageShape) -> ArrangedPage? {
        get { pages.withLock { $0[shape] } }
        set {
            pages.withLock { pages in if pages.count < shapesMax { pages[shape] = newValue } }
        }
    }
}

private let shapesMax = 512
