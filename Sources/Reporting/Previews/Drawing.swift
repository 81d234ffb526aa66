import Diagnostics

/// A box of fixed width, drawn line by line.
struct Drawing {
    /// Columns between the borders.
    let width: Int
    private(set) var lines = [String]()

    init(width: Int) { self.width = width }

    /// The box with its borders.
    var boxed: [String] {
        let bar = String(repeating: "─", count: width + 2)
        return ["╭\(bar)╮"] + lines.map { "│ \($0) │" } + ["╰\(bar)╯"]
    }

    /// A row of text, which is cut if it is too long.
    mutating func row(_ text: String) { lines.append(padded(cut(text, columns: width), to: width)) }

    /// A picture over the whole width, with words in it.
    mutating func picture(rows: Int, _ words: String) {
        let caption = cut(shown(words), columns: width - 8)
        for row in 0..<rows {
            guard row == rows / 2, !caption.isEmpty else {
                lines.append(String(repeating: "░", count: width))
                continue
            }
            let left = (width - terminalColumns(caption) - 2) / 2
            let right = width - left - terminalColumns(caption) - 2
            lines.append(
                String(repeating: "░", count: left) + " \(caption) "
                    + String(repeating: "░", count: right))
        }
    }

    /// Rows with a small picture at their left.
    mutating func beside(_ rows: [String]) {
        for index in 0..<max(3, rows.count) {
            let picture = index < 3 ? "░░░░░░" : "      "
            row("\(picture)  \(index < rows.count ? rows[index] : "")")
        }
    }
}
