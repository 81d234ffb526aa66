/// The name among `known` that was probably meant by `word`, or nil when none is near: at most a
/// third of the letters may differ, counting a swap of neighbours as one.
public func nearestName(to word: String, among known: some Sequence<String>) -> String? {
    let written = Array(word.lowercased().unicodeScalars)
    guard written.count <= wordScalarsMax else { return nil }
    var best: (name: String, distance: Int)?
    for name in known {
        let distance = editDistance(written, Array(name.lowercased().unicodeScalars))
        if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance <= max(1, max(written.count, best.name.unicodeScalars.count) / 3)
    else {
        return nil
    }
    return best.name
}

/// The question that advice asks about a name that is probably meant.
package func didYouMean(_ name: String) -> String { "did you mean \(quoted(name))?" }

/// All names that something may have, for advice about one that it has not: "the apps are a, b".
/// - Parameter noun: what bears them, in the singular.
package func listed(_ names: [String], as noun: String) -> String {
    names.count == 1
        ? "the only \(noun) is \(names[0])" : "the \(noun)s are \(names.joined(separator: ", "))"
}

/// Longer words are not compared: the work grows with the square of their length.
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
