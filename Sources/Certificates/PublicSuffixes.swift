/// The public suffix list (publicsuffix.org), which tells to which registered domain a host belongs:
/// the part that authorities count by. Rules in other scripts than ASCII are left out; for their hosts,
/// the last label counts as the suffix.
package struct PublicSuffixes: Sendable {
    private var rules = Set<[UInt8]>()
    private var wildcards = Set<[UInt8]>()
    private var exceptions = Set<[UInt8]>()

    /// Nil if the text has no rule, so that an empty or another file is none.
    package init?(_ text: [UInt8]) {
        for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == 13 }) {
            // A rule ends at the first white space; a comment is a line of its own.
            let rule = line.prefix { $0 != 0x20 && $0 != 0x09 }
            guard let first = rule.first, !rule.starts(with: "//".utf8),
                rule.allSatisfy({ $0 < 0x80 })
            else { continue }
            if first == UInt8(ascii: "!") {
                exceptions.insert(Array(rule.dropFirst()))
            } else if rule.starts(with: "*.".utf8) {
                wildcards.insert(Array(rule.dropFirst(2)))
            } else {
                rules.insert(Array(rule))
            }
        }
        guard !rules.isEmpty else { return nil }
    }

    /// The registered domain of a host: its public suffix and one label more; nil if the host is a
    /// public suffix itself.
    package func registeredDomain(of host: String) -> String? {
        let labels = host.utf8.split(separator: UInt8(ascii: "."))
        // The longest rule decides, so from the whole name to the last label.
        var suffix = 1
        for index in labels.indices {
            let rest = Array(labels[index...].joined(separator: CollectionOfOne(UInt8(ascii: "."))))
            let parent = rest.firstIndex(of: UInt8(ascii: ".")).map { Array(rest[($0 + 1)...]) }
            if exceptions.contains(rest) {
                suffix = labels.count - index - 1
                break
            }
            if rules.contains(rest) || parent.map(wildcards.contains) == true {
                suffix = labels.count - index
                break
            }
        }
        guard labels.count > suffix else { return nil }
        return labels.suffix(suffix + 1).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: ".")
    }
}
