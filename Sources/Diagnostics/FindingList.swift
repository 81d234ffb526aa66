/// Collects the findings of one text. Findings with the same cause become one finding that counts
/// the others. If there are too many, errors are kept first, then warnings, then notes.
package struct FindingList: Sendable {
    private let file: String
    private var groups = [Group]()
    private var numbers = [Cause: Int]()
    /// The number of causes of each severity.
    private var causes = [Severity: Int]()
    /// The number of findings that were added.
    package private(set) var count = 0
    /// The number of findings whose causes were not kept.
    private var leftOut = 0
    private var worstLeftOut = Severity.note

    /// An empty list.
    /// - Parameter file: the file name of the positions.
    package init(file: String) { self.file = file }

    /// Adds a finding: to a known cause, or as a new one.
    ///
    /// Findings of a rule that differ only in what they quote have one cause, unless the name that
    /// they quote is the cause, such as a misspelt key.
    package mutating func add(_ finding: Diagnostic) {
        count += 1
        let cause = Cause(finding)
        if let number = numbers[cause] { return groups[number].add(finding) }
        guard groups.count < Self.findingsMax || makeRoom(for: finding.severity) else {
            return leaveOut(1, finding.severity)
        }
        numbers[cause] = groups.count
        causes[finding.severity, default: 0] += 1
        groups.append(Group(cause: cause, first: finding))
    }

    /// The findings to show, in the order of the text.
    package var findings: [Diagnostic] {
        var shown = groups.flatMap(\.shown)
        var (rest, worst) = (leftOut, worstLeftOut)
        if shown.count > Self.findingsMax {
            let ranked = Severity.allCases.reversed().flatMap { severity in
                shown.inOrder.filter { $0.severity == severity }
            }
            rest += ranked.count - Self.findingsMax
            worst = max(worst, ranked[Self.findingsMax].severity)
            shown = Array(ranked.prefix(Self.findingsMax))
        }
        guard rest > 0 else { return shown.inOrder }
        return shown.inOrder + [
            Diagnostic(
                worst, .tooManyFindings, at: SourcePosition(file: file, line: 1, column: 1),
                "\(rest) more \(rest == 1 ? "finding is" : "findings are") not shown",
                advice: "errors are shown first; fix them and run lint again")
        ]
    }

    /// The most findings of one file that are shown.
    package static let findingsMax = 1_000
}

extension FindingList {
    /// Drops the latest cause of the lowest severity, if that is below `severity`.
    private mutating func makeRoom(for severity: Severity) -> Bool {
        guard
            let least = Severity.allCases.first(where: {
                $0 < severity && causes[$0, default: 0] > 0
            }),
            let number = groups.lastIndex(where: { $0.severity == least })
        else { return false }
        causes[least, default: 0] -= 1
        leaveOut(groups[number].count, least)
        numbers[groups[number].cause] = nil
        groups.remove(at: number)
        for later in number..<groups.count { numbers[groups[later].cause] = later }
        return true
    }

    private mutating func leaveOut(_ count: Int, _ severity: Severity) {
        leftOut += count
        worstLeftOut = max(worstLeftOut, severity)
    }
}

/// The parts that are the same in findings that differ only in their positions and quoted texts.
struct Cause: Hashable {
    let rule: RuleName
    let severity: Severity
    let words: [UInt8]

    init(_ finding: Diagnostic) {
        rule = finding.rule
        severity = finding.severity
        words = rule.isNamed ? Array(finding.message.utf8) : template(finding.message)
    }
}

/// A message without quoted text and numbers, except numbers of lines: a rule in another line is
/// another cause.
private func template(_ message: String) -> [UInt8] {
    let bytes = Array(message.utf8)
    var result = [UInt8]()
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
        let first = index
        index += 1
        if bytes[first] == UInt8(ascii: "\"") {
            index = endOfQuote(index, in: bytes)
            result.append(bytes[first])
        } else if isWordByte(bytes[first]) {
            while index < bytes.count, isWordByte(bytes[index]) { index += 1 }
            let word = bytes[first..<index]
            let isNumber = word.contains(where: isDigit)
            if isNumber, !result.suffix(lineWord.count).elementsEqual(lineWord) {
                result.append(UInt8(ascii: "#"))
            } else {
                result += word
            }
        } else {
            result.append(bytes[first])
        }
    }
    return result
}

/// The index after the quote that ends a quoted text, whose own quotes are escaped.
private func endOfQuote(_ first: Int, in bytes: [UInt8]) -> Int {
    var index = first
    while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""): return index + 1
        case UInt8(ascii: "\\"): index += 2
        default: index += 1
        }
    }
    return bytes.count
}

private let lineWord = Array("line ".utf8)

private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
