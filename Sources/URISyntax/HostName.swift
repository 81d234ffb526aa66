/// A host in the form of association files and certificates: lower-case ASCII letters, digits and
/// hyphens in labels of 1 to 63 bytes, at most 253 bytes, without a trailing full stop. Names in
/// other scripts are in punycode (RFC 1123 §2.1, RFC 5890 §2.3.1).
public struct HostName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Upper-case letters become lower case.
    /// - Throws: `HostNameError`, with a message for people.
    public init(_ text: String) throws(HostNameError) {
        let bytes = text.utf8.map(\.foldedToLowerCase)
        guard bytes.count <= Self.bytesMax else { throw .tooLong(text, bytes: bytes.count) }
        for label in bytes.split(separator: .init(ascii: "."), omittingEmptySubsequences: false) {
            guard Self.isLabel(label) else { throw .invalidLabel(text) }
        }
        description = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether URLs treat it as an IPv4 address, because its last label is a number (WHATWG URL
    /// §3.5).
    package var isAddress: Bool {
        let label =
            description.utf8.split(separator: UInt8(ascii: ".")).last ?? description.utf8[...]
        return label.allSatisfy(\.isDigit)
    }

    public static let bytesMax = 253
    package static let labelBytesMax = 63

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...labelBytesMax).contains(label.count) else { return false }
        guard label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
            return false
        }
        return label.allSatisfy { $0.isLowerCaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}

/// The reason why a text is not a host name.
public enum HostNameError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(String, bytes: Int)
    case invalidLabel(String)

    public var description: String {
        switch self {
        case .tooLong(_, let bytes):
            "a host name has \(bytes) bytes, may have \(HostName.bytesMax)"
        case .invalidLabel:
            "this is not a host name; write letters, digits and hyphens, with full stops between "
                + "the parts"
        }
    }
}
