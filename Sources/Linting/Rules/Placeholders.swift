import Associations
import Diagnostics
import SiteConfiguration

// Placeholders that stand for less than the pattern took.

extension Link {
    /// One finding for each pattern in which a `?` beside a star takes a character that the star's
    /// placeholder does not have.
    var placeholderFindings: [Diagnostic] {
        let used = (templates + [page?.argument].compactMap(\.self)).reduce(into: Set<Int>()) {
            for case .value(.star(let number), _) in $1.parts { $0.insert(number) }
        }
        guard !used.isEmpty else { return [] }
        return zip(components, positions).compactMap { component, position in
            guard !component.exclude, let path = component.path,
                let run = path.wildcardRuns.first(where: { run in
                    run.hasQuestionMark && run.stars.contains(where: used.contains)
                }), let star = run.stars.first(where: used.contains)
            else { return nil }
            let written = Array(path.utf8)
            let (start, end) = (written[..<run.range.lowerBound], written[run.range.upperBound...])
            let whole = text(start + "*".utf8 + end)
            let excluded = end.isEmpty ? " and exclude \(quoted(text(start[...])))" : ""
            return Diagnostic(
                .warning, .placeholder, at: position.whole,
                "a ? in \(quoted(path)) takes a character that {\(star)} does not have",
                advice: "write \(quoted(whole))\(excluded)")
        }
    }
}

private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

/// A row of stars and question marks in a pattern.
private struct WildcardRun {
    var range: Range<Int>
    var hasQuestionMark = false
    /// The numbers of its stars, counted from 1.
    var stars = [Int]()
}

extension String {
    fileprivate var wildcardRuns: [WildcardRun] {
        var (runs, stars) = ([WildcardRun](), 0)
        for (index, byte) in utf8.enumerated() where "*?".utf8.contains(byte) {
            if runs.last?.range.upperBound != index {
                runs.append(WildcardRun(range: index..<index))
            }
            let last = runs.count - 1
            runs[last].range = runs[last].range.lowerBound..<index + 1
            if byte == UInt8(ascii: "?") {
                runs[last].hasQuestionMark = true
            } else {
                stars += 1
                runs[last].stars.append(stars)
            }
        }
        return runs
    }
}
