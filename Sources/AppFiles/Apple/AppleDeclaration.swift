private import Diagnostics

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
        /// It is an `Info.plist` with a scheme of the web.
        case whileOfSchemes
    }

    /// The app that an App Clip is in.
    package struct Enclosing: Sendable {
        package let applicationIdentifier: String?
        /// Of source, which has no prefix.
        package let bundleIdentifier: String?
        /// The hosts of its domains for App Clips; nil where only a build knows them.
        package let hostsOfClips: Set<String>?
    }

    /// An entry of the list.
    package struct Domain: Sendable {
        package let text: String
        package let place: TextPlace?
        /// The variable of a project that the text is from, with its place, for people; nil if there is none.
        package internal(set) var origin: String?
    }

    package let kind: Kind
    /// The bundle within the file, such as `Payload/App.app`; nil for a file of its own.
    package let bundle: String?
    /// Of `Info.plist`.
    package var bundleIdentifier: String?
    /// With its prefix; nil in the source, where Xcode adds it.
    package let applicationIdentifier: String?
    /// The identifier that the caller says a source is of, with its prefix; nil if he says none of it.
    package var claimed: String?
    package internal(set) var domains: Domains
    /// Whether it has a key that only apps for Macs have.
    private let hasMacKey: Bool
    /// `get-task-allow`: whether it is a build for development; nil where it is not said.
    package let isForDevelopment: Bool?
    /// The team of the signature. The prefix of an old App ID differs from it.
    package let team: String?
    /// Whether it is of an App Clip: by the place of its bundle, its target, or the app that it names as its own.
    package internal(set) var isClip: Bool
    /// Whether it may be the browser of a device, which has schemes of the web.
    package let isBrowser: Bool
    /// The identifiers of the app that an App Clip belongs to.
    package internal(set) var parents: [String]
    /// The place of their list; nil if there is none.
    package let parentsPlace: TextPlace?
    /// The app around an App Clip; nil if it is not known.
    package internal(set) var enclosing: Enclosing?
    /// A scheme of the web in `CFBundleURLSchemes`, with its place; nil if there is none.
    package internal(set) var webScheme: Domain?
    /// Whether slices, or the two forms of a signature, have other entitlements.
    package var formsDiffer = false
    /// Whether a slice has entitlements without their DER form, which iOS 15 and later require (Apple, "Using the latest
    /// code signature format").
    package var lacksDER = false
    /// Whether there is no signature with entitlements, so that nothing is known.
    package var isUnsigned = false
    /// Whether a signature is ad hoc, as those of simulators are, so that it is not what ships.
    package var isAdHoc = false
    /// Whether the profile in the bundle allows associated domains; nil if there is none.
    package var profileAllowsDomains: Bool?
    /// A key that is almost that of the domains, which are missing.
    package private(set) var nearKey: String?
    /// Whether domains stand where Expo removes them.
    package internal(set) var hasRemovedDomains = false
    /// The file that a release is signed with, if the checkout does not have it.
    package internal(set) var lostFile: String?
    /// Whether the project does not say which entitlements its release has, because a file of settings is missing.
    package internal(set) var isOpen = false
    /// The path in the checkout of the file that it is from; empty without one.
    package internal(set) var path = ""
    /// The files of its project that were not read.
    package internal(set) var unread = [UnreadSource]()
    /// The target that uses a file of source; nil if no project says it.
    package internal(set) var use: XcodeUse?
    /// The tools that may give the file of source other domains before a build.
    package internal(set) var writers = [UnreadSource]()
    /// Nil for a file that a project uses, or may use.
    package internal(set) var unused: Unused?
    /// Whether it is of Expo's configuration, which is written in JSON.
    package var isOfExpo: Bool { use?.target == "Expo" && use?.configurations.isEmpty == true }
    /// Whether it is of an app for Macs.
    package var isForMac: Bool { use?.isForMac ?? hasMacKey }
    /// The beginning of the entitlements, or of the configuration that has none.
    package internal(set) var place: TextPlace?

    init(_ entitlements: PropertyList, kind: Kind, bundle: String? = nil) {
        self.kind = kind
        self.bundle = bundle
        // macOS and Mac Catalyst have another key.
        applicationIdentifier =
            (entitlements["application-identifier"]
            ?? entitlements["com.apple.application-identifier"])?.text
        let hasMacIdentifier =
            entitlements["application-identifier"] == nil
            && entitlements["com.apple.application-identifier"] != nil
        hasMacKey = hasMacIdentifier || entitlements["com.apple.security.app-sandbox"] != nil
        isForDevelopment =
            kind == .entitlements
            ? entitlements["get-task-allow"]?.flag : entitlements["get-task-allow"]?.flag ?? false
        team = entitlements["com.apple.developer.team-identifier"]?.text
        let parents = entitlements["com.apple.developer.parent-application-identifiers"]
        isClip = parents != nil
        isBrowser = entitlements["com.apple.developer.web-browser"]?.flag == true
        self.parents = Array(
            (parents?.items ?? []).lazy.compactMap(\.text).prefix(AppFileLimits.parentsMax))
        parentsPlace = parents?.place
        place = entitlements.place
        let key = "com.apple.developer.associated-domains"
        guard let value = entitlements[key], value.items?.isEmpty != true else {
            domains = .missing
            if entitlements[key] == nil {
                nearKey = entitlements.keys.prefix(Self.keysMax).first { other in
                    nearestName(to: lastPart(of: other), among: [lastPart(of: key)]) != nil
                }
            }
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
    /// The hosts of entries for App Clips, with `*.` before a wildcard's.
    package static func hostsOfClips(_ texts: [String]) -> Set<String> {
        Set(texts.compactMap(hostOfClips))
    }

    /// The host of an entry for App Clips; nil for other entries.
    package static func hostOfClips(_ text: String) -> String? {
        guard let domain = try? AssociatedDomain(text), domain.service.isScalarwise("appclips")
        else { return nil }
        return domain.pattern
    }
}

/// The part of a name behind its last full stop.
package func lastPart(of name: String) -> String {
    let part = name.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed()
    return String(decoding: part, as: UTF8.self)
}

extension AppleDeclaration {
    /// The variables that Xcode replaces with a prefix and a full stop.
    package static let prefixVariables = ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]

    /// The keys among which a misspelt one is looked for.
    private static let keysMax = 200

    /// - Parameter signatures: those of an executable's slices.
    init(_ signatures: [CodeSignature?], bundle: String?) {
        let first = signatures.lazy.compactMap { $0?.entitlements }.first
        self.init(
            first ?? PropertyList(.dictionary([:])), kind: .signature, bundle: bundle)
        isUnsigned = first == nil
        isAdHoc = signatures.contains { $0?.isAdHoc == true }
        guard let first else { return }
        lacksDER = signatures.contains { $0.map { $0.xml != nil && $0.der == nil } ?? false }
        formsDiffer = signatures.contains { signature in
            guard let signature, let other = signature.entitlements else { return true }
            return signature.formsDiffer || !other.isSame(as: first)
        }
    }
}

extension AppleDeclaration.Domain {
    /// A scheme of the web among the URL types of an `Info.plist`; nil if there is none.
    init?(schemeOf info: PropertyList) {
        let schemes = (info["CFBundleURLTypes"]?.items ?? []).flatMap {
            $0["CFBundleURLSchemes"]?.items ?? []
        }
        let found = schemes.lazy.compactMap { scheme -> AppleDeclaration.Domain? in
            guard let text = scheme.text, isWebScheme(text.lowercased()) else { return nil }
            return AppleDeclaration.Domain(text: text, place: scheme.place)
        }.first
        guard let found else { return nil }
        self = found
    }
}
