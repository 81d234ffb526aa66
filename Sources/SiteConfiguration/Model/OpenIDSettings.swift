package import Diagnostics
private import URISyntax

/// The provider of OpenID Connect at which people of the console sign in.
package struct OpenIDSettings: Equatable, Sendable {
    package let position: SourcePosition
    /// As the provider writes it: it is compared byte for byte.
    package let issuer: String
    package let clientID: String
    /// The file with the client's secret.
    package let secret: FileReference
    /// By which the button names the provider.
    package let name: String
    /// The scopes besides openid; nil for the usual ones.
    package let scopes: [String]?
    /// The claim with the groups of a person.
    package let groupsClaim: String
    /// In the order of the configuration: the first group that a person is in decides.
    package let roles: [GroupRole]
    /// Nil trusts the system's.
    package let authorities: FileReference?

    /// The role of a group.
    package struct GroupRole: Hashable, Sendable {
        package let group: String
        /// viewer, editor or admin.
        package let role: String
        /// Nil for all.
        package let collections: [String]?
    }

    package init(
        position: SourcePosition, issuer: String, clientID: String, secret: FileReference,
        name: String, scopes: [String]? = nil, groupsClaim: String = "groups", roles: [GroupRole],
        authorities: FileReference? = nil
    ) {
        (self.position, self.issuer, self.clientID) = (position, issuer, clientID)
        (self.secret, self.name, self.scopes) = (secret, name, scopes)
        (self.groupsClaim, self.roles, self.authorities) = (groupsClaim, roles, authorities)
    }

    /// - Returns: nil if something is missing, of which there is a finding already.
    init?(_ value: Value, _ base: PathBase) {
        guard let issuer = value["issuer"]?.text, let host = value["issuer"]?.url?.host,
            let client = value["client-id"]?.text,
            let secret = base.reference(value["client-secret"])
        else { return nil }
        let roles = (value["roles"]?.entries ?? []).compactMap { entry -> GroupRole? in
            guard let role = entry.value.text ?? entry.value["role"]?.text else { return nil }
            return GroupRole(
                group: entry.key, role: role,
                collections: entry.value["collections"]?.items.compactMap(\.text))
        }
        self.init(
            position: value.position, issuer: issuer, clientID: client, secret: secret,
            name: value["name"]?.text ?? host.description,
            scopes: value["scopes"]?.items.compactMap(\.text),
            groupsClaim: value["groups-claim"]?.text ?? "groups", roles: roles,
            authorities: base.reference(value["authorities"]))
    }

    /// The role of a person in these groups; nil if none of them has one.
    package func role(of groups: [String]) -> GroupRole? {
        roles.first { role in groups.contains { $0.utf8.elementsEqual(role.group.utf8) } }
    }
}
