package import Associations

extension PageReading {
    /// The URLs of the page's files on its own host, which a report can examine.
    package func resources(at url: LinkURL?) -> [LinkURL] {
        guard let url else { return [] }
        let base = base?["href"].flatMap { resolve($0, against: url) } ?? url
        let named =
            [(meta("og:image") ?? meta("og:image:url"))?.content].compactMap(\.self)
            + (links("apple-touch-icon") + links("apple-touch-icon-precomposed") + links("icon"))
            .prefix(4).compactMap { $0["href"] }
            + ["/apple-touch-icon.png", "/favicon.ico"]
        return named.compactMap { resolve($0, against: base) }.filter { $0.isSameHost(as: url) }
    }
}

/// The address that `ReportInput.resources` knows a file by.
package func resourceKey(_ url: LinkURL) -> String { url.pageAddress }
