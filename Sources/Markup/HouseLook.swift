/// The colours and the type of every page that the program draws, before an operator's theme: landing pages, the debug page
/// and the console.
package enum HouseLook {
    /// A colour, as `#rrggbb` on light pages and on dark ones.
    package struct Colour: Sendable {
        /// The name of the CSS variable, without its hyphens.
        package let name: String
        package let light: String
        package let dark: String

        package init(_ name: String, _ light: String, _ dark: String) {
            (self.name, self.light, self.dark) = (name, light, dark)
        }
    }

    package static let colours = [
        Colour("accent", "#1757d6", "#8fb4ff"), Colour("background", "#f3f4f7", "#0d0f14"),
        Colour("surface", "#ffffff", "#191c24"), Colour("text", "#14171f", "#f2f4f8"),
        Colour("muted", "#565d6d", "#a9b1c2"), Colour("line", "#d5d9e2", "#333947"),
    ]

    /// The value of `font-family`.
    package static let font = "system-ui, -apple-system, Segoe UI, Roboto, sans-serif"
}
