private import Diagnostics
private import Markup
private import URISyntax

/// The values of CSS variables, in light and in dark.
struct ThemePalette {
    private var light = HouseLook.colours.reduce(into: ["radius": "24px", "font": HouseLook.font]) {
        $0[$1.name] = $1.light
    }
    private var dark = HouseLook.colours.reduce(into: [String: String]()) { $0[$1.name] = $1.dark }

    /// - Parameter variables: an accent is one for both; other colours are for light pages, and
    ///   with `-dark` after their names for dark ones.
    init(_ variables: [String: String]) throws(TemplateFault) {
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            let isSafe = value.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || "#.,% -".utf8.contains($0)
            }
            guard isSafe, !value.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
                throw TemplateFault(
                    0, "\(quoted(value)) cannot be the value of the variable \(quoted(name))")
            }
        }
        for (name, value) in variables where !Self.isDark(name) {
            light[name] = value
            if name == "accent" || name == "on-accent" { dark[name] = value }
        }
        // After the others, so that an accent of its own comes before the one for both.
        for (name, value) in variables where Self.isDark(name) {
            let name = name.utf8.dropLast(Self.darkSuffix.count)
            dark[String(decoding: name, as: UTF8.self)] = value
        }
        if variables["on-accent"] == nil {
            light["on-accent"] = Self.contrasting(light["accent"])
            if variables["on-accent-dark"] == nil {
                dark["on-accent"] = Self.contrasting(dark["accent"])
            }
        }
    }

    static let names = [
        "accent", "background", "font", "line", "muted", "on-accent", "radius", "surface", "text",
    ]

    private static let darkSuffix = Array("-dark".utf8)

    private static func isDark(_ name: String) -> Bool {
        name.utf8.suffix(darkSuffix.count).elementsEqual(darkSuffix)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-")
    }

    /// White where it is read on the colour, with at least 4.5 to 1 (WCAG 2.2, "Contrast (Minimum)"), as people expect it
    /// on a strong colour; else black, which then has more. White where the colour is not known, as those of a system are.
    private static func contrasting(_ colour: String?) -> String {
        let colour = colour ?? ""
        let hex = NamedColour.digits(of: colour).map { "#\($0)" } ?? colour
        let digits = hex.utf8.dropFirst().compactMap(\.hexDigitValue)
        guard hex.utf8.first == UInt8(ascii: "#"), digits.count >= 3 else { return "#ffffff" }
        let isShort = digits.count < 6
        var luminance = 0.0
        for (index, weight) in [0.2126, 0.7152, 0.0722].enumerated() {
            let high = Int(digits[isShort ? index : 2 * index])
            let low = Int(digits[isShort ? index : 2 * index + 1])
            luminance += weight * linear(Double(high * 16 + low) / 255)
        }
        return 1.05 / (luminance + 0.05) < 4.5 ? "#000000" : "#ffffff"
    }

    /// The light of a channel of sRGB (WCAG 2.2, "relative luminance").
    private static func linear(_ value: Double) -> Double {
        guard value > 0.04045 else { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // The power of 2.4 is the fifth root of the twelfth, which Newton's method finds from above.
        let cube = base * base * base
        let power = cube * cube * cube * cube
        var root = base * base
        for _ in 0..<12 {
            let fourth = root * root * root * root
            root -= (root * fourth - power) / (5 * fourth)
        }
        return root
    }

    var background: (light: String, dark: String) {
        (light["background"] ?? "", dark["background"] ?? "")
    }

    var css: String {
        ":root{\(Self.declarations(light))}\n@media (prefers-color-scheme:dark){:root{"
            + "\(Self.declarations(dark))}}\n"
    }

    private static func declarations(_ variables: [String: String]) -> String {
        variables.sorted { $0.key < $1.key }.map { "--\($0.key):\($0.value)" }
            .joined(separator: ";")
    }
}
