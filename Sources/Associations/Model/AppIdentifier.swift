private import Diagnostics
private import URISyntax

/// An application identifier in the form of `appIDs`: App ID prefix, full stop, bundle identifier.
///
/// A value of this type is always one that Apple could match. The prefix is often, but not always,
/// the team identifier.
public struct AppIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The App ID prefix: `prefixBytes` capital letters and digits.
    public let prefix: String
    /// Letters, digits and hyphens, in parts with full stops between them.
    public let bundleIdentifier: String

    /// - Throws: `AppIdentifierError`, with a message for people.
    public init(_ text: String) throws(AppIdentifierError) {
        let bytes = Array(text.utf8)
        guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else { throw .missingPrefix(text) }
        let prefix = String(decoding: bytes[..<dot], as: UTF8.self)
        let bundle = String(decoding: bytes[(dot + 1)...], as: UTF8.self)
        // `com.example.app` also has a full stop, but the part before it is not a prefix.
        guard dot == Self.prefixBytes,
            bytes[..<dot].allSatisfy({ $0.isUpperCaseLetter || $0.isDigit })
        else { throw .invalidPrefix(prefix) }
        guard isBundleIdentifier(bytes[(dot + 1)...]) else {
            throw .invalidBundleIdentifier(bundle)
        }
        self.prefix = prefix
        self.bundleIdentifier = bundle
    }

    /// The identifier in the form of association files.
    public var description: String { "\(prefix).\(bundleIdentifier)" }

    /// The length in bytes of every App ID prefix that Apple assigns.
    public static let prefixBytes = 10
}

/// The reason why a text is not an application identifier. Each case has the part that is wrong.
public enum AppIdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
    case missingPrefix(String)
    case invalidPrefix(String)
    case invalidBundleIdentifier(String)

    /// One line: the wrong part in quotes, and what is wrong with it.
    public var description: String {
        switch self {
        case .missingPrefix(let text):
            "\(quoted(text)) has no full stop between App ID prefix and bundle identifier"
        case .invalidPrefix(let prefix) where prefix.utf8.count != AppIdentifier.prefixBytes:
            "App ID prefix \(quoted(prefix)) has \(prefix.utf8.count) characters, "
                + "must have \(AppIdentifier.prefixBytes)"
        case .invalidPrefix(let prefix):
            "App ID prefix \(quoted(prefix)) must have only upper-case letters A-Z and digits"
        case .invalidBundleIdentifier(let bundle):
            "bundle identifier \(quoted(bundle)) must have only letters, digits, hyphens and full "
                + "stops, and no empty part"
        }
    }

    /// The place to find the right identifier, in one line.
    public var advice: String { Self.advice }

    static let advice =
        "copy it from developer.apple.com › Identifiers; the prefix is the part before the "
        + "bundle identifier"
}

/// Letters, digits and hyphens between full stops, no part empty.
func isBundleIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
            && part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}
