package import Files

/// The memory for what a site is built from, which is asked for before it is taken.
package struct BuildRoom {
    /// Whether there is memory for so many files more that are found.
    let files: TreeRoom
    /// Whether there is memory for another page of so many bytes.
    let page: (Int) -> Bool

    /// A room without limits, unless these functions know some.
    package init(
        files: @escaping TreeRoom = { _, _ in true }, page: @escaping (Int) -> Bool = { _ in true }
    ) {
        (self.files, self.page) = (files, page)
    }
}
