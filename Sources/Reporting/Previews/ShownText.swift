import Diagnostics

// Texts of a page for a terminal: without control characters that would change the drawing, and
// with a known width in columns.

/// The text with whitespace collapsed, and without control characters, direction marks and other
/// characters without a shape. A letter keeps at most two combining marks.
func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var marks = 0
    for scalar in collapsed(text).unicodeScalars {
        if scalar.isASCII {
            result.append(scalar.value >= 0x20 && scalar.value != 0x7F ? scalar : "\u{FFFD}")
            marks = 0
            continue
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .enclosingMark:
            continue
        case .privateUse, .unassigned:
            result.append("\u{FFFD}")
            marks = 0
        case .nonspacingMark, .spacingMark:
            // Variation selectors change a width that is counted here.
            guard !(0xFE00...0xFE0F).contains(scalar.value), !result.isEmpty, marks < 2 else {
                continue
            }
            result.append(scalar)
            marks += 1
        default:
            result.append(scalar)
            marks = 0
        }
    }
    return String(result)
}

/// Lines of this many columns, broken between words if possible. If the text continues after the
/// last line, that line ends in an ellipsis.
func wrapped(_ text: String, columns limit: Int, lines linesMax: Int) -> (
    lines: [String], isCut: Bool
) {
    // No more can be shown than fits, so no more is looked at.
    let scalars = Array(shown(text).unicodeScalars.prefix(limit * (linesMax + 1) * 3))
    var lines = [String]()
    var start = 0
    while start < scalars.count, lines.count < linesMax {
        var (end, width, blank) = (start, 0, Int?.none)
        while end < scalars.count, width + terminalColumns(scalars[end]) <= limit {
            if scalars[end] == " " { blank = end }
            width += terminalColumns(scalars[end])
            end += 1
        }
        if end < scalars.count, let blank, blank > start, scalars[end] != " " { end = blank }
        // A letter wider than the line would stay for ever.
        end = max(end, start + 1)
        lines.append(string(scalars[start..<end]))
        start = end
        while start < scalars.count, scalars[start] == " " { start += 1 }
    }
    guard start < scalars.count, let last = lines.popLast() else { return (lines, false) }
    var kept = Array(last.unicodeScalars)
    while terminalColumns(string(kept[...])) >= limit { kept.removeLast() }
    return (lines + [string(kept[...]) + "…"], true)
}

/// The shown text, or as much of it as fits with an ellipsis after it.
func cut(_ text: String, columns limit: Int) -> String {
    // A letter has two marks at most.
    var scalars = Array(text.unicodeScalars.prefix(limit * 3 + 3))
    guard terminalColumns(string(scalars[...])) > limit else { return string(scalars[...]) }
    while terminalColumns(string(scalars[...])) >= limit { scalars.removeLast() }
    return string(scalars[...]) + "…"
}

private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
}
