/// The state of reading the extensions of a chunk's size line (RFC 9112 §7.1.1): names, with or
/// without values. Their content is not used, but every recipient must find the same end. The
/// grammar allows whitespace before the first extension; recipients disagree about it, so it is
/// refused.
enum ChunkExtension: Sendable {
    /// Whitespace after a value.
    case gap
    case nameStart, name, afterName
    case valueStart, value
    case quoted, escaped, afterQuoted

    /// Whether the line may end here.
    var canEnd: Bool {
        switch self {
        case .name, .value, .afterQuoted: true
        case .gap, .nameStart, .afterName, .valueStart, .quoted, .escaped: false
        }
    }

    /// The state after `octet`, or nil if the octet is not allowed there.
    func next(_ octet: UInt8) -> ChunkExtension? {
        switch self {
        case .gap: octet.isOWS ? .gap : octet == .semicolon ? .nameStart : nil
        case .nameStart: octet.isOWS ? .nameStart : octet.isTchar ? .name : nil
        case .name: octet.isTchar ? .name : afterName(octet)
        case .afterName: afterName(octet)
        case .valueStart:
            octet.isOWS
                ? .valueStart : octet == .quote ? .quoted : octet.isTchar ? .value : nil
        case .value: octet.isTchar ? .value : afterValue(octet)
        case .quoted:
            octet == .quote
                ? .afterQuoted
                : octet == .backslash ? .escaped : octet.isFieldContent ? .quoted : nil
        case .escaped: octet.isFieldContent ? .quoted : nil
        case .afterQuoted: afterValue(octet)
        }
    }

    private func afterName(_ octet: UInt8) -> ChunkExtension? {
        octet == UInt8(ascii: "=") ? .valueStart : octet.isOWS ? .afterName : afterValue(octet)
    }

    private func afterValue(_ octet: UInt8) -> ChunkExtension? {
        octet == .semicolon ? .nameStart : octet.isOWS ? .gap : nil
    }
}
