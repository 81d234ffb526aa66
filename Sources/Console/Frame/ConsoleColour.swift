internal import Markup

/// A colour of the console, with the things that have it.
struct ConsoleColour: Sendable {
    let value: HouseLook.Colour
    let use: ConsoleText

    private init(_ value: HouseLook.Colour, _ use: ConsoleText) {
        (self.value, self.use) = (value, use)
    }

    /// The colours of all pages, and then those that only the console has.
    static let all =
        HouseLook.colours.map { ConsoleColour($0, Self.shared[$0.name] ?? .colourOfPages) } + own

    private static let shared: [String: ConsoleText] = [
        "accent": .colourOfAccent, "background": .colourOfBackground,
        "surface": .colourOfSurface, "text": .colourOfText, "muted": .colourOfMuted,
        "line": .colourOfLine,
    ]

    private static let own = [
        ConsoleColour(HouseLook.Colour("on-accent", "#ffffff", "#000000"), .colourOnAccent),
        ConsoleColour(HouseLook.Colour("edge", "#767e8f", "#7b8498"), .colourOfEdge),
        ConsoleColour(HouseLook.Colour("bad", "#b3261e", "#ff9a91"), .colourOfBad),
        ConsoleColour(HouseLook.Colour("good", "#17692f", "#7fdc97"), .colourOfGood),
        ConsoleColour(HouseLook.Colour("tint", "#e7eefc", "#1d2a45"), .colourOfTint),
        ConsoleColour(HouseLook.Colour("s1", "#b45309", "#fb923c"), .colourOfPart),
        ConsoleColour(HouseLook.Colour("s2", "#0f766e", "#2dd4bf"), .colourOfPart),
        ConsoleColour(HouseLook.Colour("s3", "#7c3aed", "#a78bfa"), .colourOfPart),
        ConsoleColour(HouseLook.Colour("s4", "#be185d", "#f472b6"), .colourOfPart),
        ConsoleColour(HouseLook.Colour("s5", "#4d7c0f", "#a3e635"), .colourOfPart),
    ]
}
