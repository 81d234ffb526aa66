private import Diagnostics

/// An action of the audit, in words for people.
struct AuditDeed {
    private let text: ConsoleText
    private var name = ""
    /// The role that somebody got, and the collections that it is for.
    private var rights: (role: ConsoleRole, collections: String)?

    /// - Returns: nil for an action that the console does not know.
    init?(_ action: String) {
        if let text = Self.whole[action] {
            self.text = text
            return
        }
        let known = Self.named.first { action.utf8.starts(with: $0.begin.utf8) }
        guard let known else { return nil }
        text = known.text
        name = String(decoding: action.utf8.dropFirst(known.begin.utf8.count), as: UTF8.self)
        guard known.hasRights else { return }
        // The name of a person has no colon.
        let parts = name.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            .map { String(decoding: $0, as: UTF8.self).trimmed }
        guard parts.count == 2 else { return nil }
        let words = parts[1].utf8.split(separator: 0x20, maxSplits: 2)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let role = words.first.flatMap(ConsoleRole.init) else { return nil }
        name = parts[0]
        rights = (role, words.count == 3 ? words[2] : "")
    }

    func words(_ page: PageWriter) -> String {
        var values = ["name": name]
        if let rights {
            values["role"] = page.filled(rights.role.text)
            if !rights.collections.isEmpty { values["role"]? += " (\(rights.collections))" }
        }
        return page.filled(text, values)
    }

    private static let whole: [String: ConsoleText] = [
        "create": .linkMade, "change": .linkChanged, "delete": .linkErased, "alias": .linkNamed,
        "import": .linksImported, "sign in": .signedInDeed, "sign out": .signedOutDeed,
        "sign out everywhere": .signedOutEverywhereDeed, "sign in by a proxy": .signedInByProxyDeed,
        "sign in with OpenID": .signedInByProviderDeed,
        "sign in with OpenID without a role": .withoutRoleDeed,
    ]

    private static let named: [(begin: String, text: ConsoleText, hasRights: Bool)] = [
        ("add person ", .personAddedDeed, true), ("change person ", .personChangedDeed, true),
        ("remove person ", .personRemovedDeed, false),
        ("sign out person ", .personSignedOutDeed, false),
        ("sign-in link for ", .invitedDeed, false),
        ("sign in with passkey ", .signedInByPasskeyDeed, false),
        ("add passkey ", .passkeyAddedDeed, false),
        ("remove passkey ", .passkeyRemovedDeed, false),
        ("token ", .tokenMadeDeed, false), ("remove token ", .tokenRevokedDeed, false),
    ]
}
