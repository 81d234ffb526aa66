/// The name among `known` that `word` probably means, or nil if none is near: at most a third of
/// the characters may differ, and a swap of neighbours counts once.
public func nearestName(to word: String, among known: some Sequence<String>) -> String? {
    let written = Array(word.lowercased().unicodeScalars)
    guard written.count <= wordScalarsMax else { return nil }
    var best: (name: String, distance: Int)?
    for name in known {
        let distance = editDistance(written, Array(name.lowercased().unicodeScalars))
        if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance <= max(1, max(written.count, best.name.unicodeScalars.count) / 3)
    else { return nil }
    return best.name
}

/// The question in an advice about the probable name.
package func didYouMean(_ name: String) -> String { "did you mean \(quoted(name))?" }

/// All valid names, for advice about an invalid one: "the apps are a, b".
/// - Parameter noun: the noun for the names, in the singular.
package func listed(_ names: [String], as noun: String) -> String {
    names.count == 1
        ? "the only \(noun) is \(names[0])" : "the \(noun)s are \(names.joined(separator: ", "))"
}

/// Longer words are not compared, because the work grows with the square of their length.
private let wordScalarsMax = 64

/// Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int]()
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            let substituted = last[j] + (a[i] == b[j] ? 0 : 1)
            var least = min(substituted, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                least = min(least, beforeLast[j - 1] + 1)
            }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
