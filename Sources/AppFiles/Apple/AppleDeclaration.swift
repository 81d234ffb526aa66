/// The links that an app for Apple's systems declares: in the source, in the profile that it is built
/// with, or in the signature of what ships.
package struct AppleDeclaration: Sendable {
    package enum Kind: Sendable {
        /// A source file, which a build may or may not use.
        case entitlements
        /// The list of all that a signature may have; it need not have it.
        case profile
        /// The part of the app that systems read.
        case signature
    }

    /// The value of `com.apple.developer.associated-domains`.
    package enum Domains: Sendable {
        case missing
        /// The text `*`, with which a profile allows any list.
        case star(TextPlace?)
        case list([Domain])
        case other(TextPlace?)
    }

    /// The reason why no release is signed with a file.
    package enum Unused: Sendable {
        case whileAnAppHasNone
        /// Other builds of the app have it, such as those for profiling.
        case whileItsReleaseHasNone
        case whileAllHaveOthers
        /// It is an `Info.plist`, whose domains nothing reads.
        case whileInInfoPlist
    }

    /// An entry of the list.
    package struct Domain: Sendable {
        package let text: String
        package let place: TextPlace?
    }

    package let kind: Kind
    /// The bundle within the file, such as `Payload/App.app`; nil for a file of its own.
    package let bundle: String?
    /// Of `Info.plist`.
    package var bundleIdentifier: String?
    /// With its prefix; nil in the source, where Xcode adds it.
    package let applicationIdentifier: String?
    package internal(set) var domains: Domains
    /// `get-task-allow`: whether it is a build for development; nil where it is not said.
    package let isForDevelopment: Bool?
    package let isClip: Bool
    /// Whether slices, or the two forms of a signature, have other entitlements.
    package var formsDiffer = false
    /// Whether there is no signature with entitlements, so that nothing is known.
    package var isUnsigned = false
    /// Whether the profile in the bundle allows associated domains; nil if there is none.
    package var profileAllowsDomains: Bool?
    /// The target that uses a file of source; nil if no project says it.
    package internal(set) var use: XcodeUse?
    /// Nil for a file that a project uses, or may use.
    package internal(set) var unused: Unused?
    /// The beginning of the entitlements.
    package let place: TextPlace?

    init(_ entitlements: PropertyList, kind: Kind, bundle: String? = nil) {
        self.kind = kind
        self.bundle = bundle
        // macOS and Mac Catalyst have another key.
        applicationIdentifier =
            (entitlements["application-identifier"]
            ?? entitlements["com.apple.application-identifier"])?.text
        isForDevelopment =
            kind == .entitlements
            ? entitlements["get-task-allow"]?.flag : entitlements["get-task-allow"]?.flag ?? false
        isClip = entitlements["com.apple.developer.parent-application-identifiers"] != nil
        place = entitlements.place
        guard let value = entitlements["com.apple.developer.associated-domains"],
            value.items?.isEmpty != true
        else {
            domains = .missing
            return
        }
        if let items = value.items {
            let entries = items.compactMap { item in
                item.text.map { Domain(text: $0, place: item.place) }
            }
            domains = entries.count == items.count ? .list(entries) : .other(value.place)
        } else {
            domains = value.text == "*" ? .star(value.place) : .other(value.place)
        }
    }
}

extension AppleDeclaration {
    /// - Parameter signatures: those of an executable's slices.
    init(_ signatures: [CodeSignature?], bundle: String?) {
        let first = signatures.lazy.compactMap { $0?.entitlements }.first
        self.init(
            first ?? PropertyList(.dictionary([:])), kind: .signature, bundle: bundle)
        isUnsigned = first == nil
        guard let first else { return }
        formsDiffer = signatures.contains { signature in
            guard let signature, let other = signature.entitlements else { return true }
            return signature.formsDiffer || !other.isSame(as: first)
        }
    }
}
