import Associations

/// A path that a pattern takes, as an example for people and to try other rules with.
struct SamplePath: Hashable {
    let text: String
    let glob: Glob

    /// Nil where the pattern has variables, or is not for paths.
    init?(of pattern: Glob?) {
        var text = ""
        for symbol in pattern?.symbols ?? [.literal("/"), .many] {
            switch symbol {
            case .literal(let scalar): text.unicodeScalars.append(scalar)
            case .one: text += "x"
            case .many: text += "example"
            case .variable: return nil
            }
        }
        guard text.utf8.count <= Self.bytesMax else { return nil }
        if text.utf8.first != UInt8(ascii: "/") { text = "/" + text }
        if text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        guard let glob = Glob(path: text) else { return nil }
        self.text = text
        self.glob = glob
    }

    /// Longer ones would say little to a reader.
    private static let bytesMax = 500
}

extension [RulePattern] {
    /// Whether the rules open the app for a path without query and fragment.
    func opens(_ sample: SamplePath, steps: inout Int) -> Bool {
        for rule in self where rule.matches(path: sample.glob, steps: &steps) {
            return !rule.exclude
        }
        return false
    }
}
