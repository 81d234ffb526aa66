/// The person whose session a request belongs to.
package struct ConsolePerson: Sendable {
    package let name: String
    package let role: ConsoleRole

    /// Whether a proxy has signed them in, at which they sign out, too.
    let isOfProxy: Bool
    /// Whether the role is for all collections, and not for some.
    let isForAll: Bool

    package init(
        _ name: String, _ role: ConsoleRole, isOfProxy: Bool = false, isForAll: Bool = true
    ) {
        (self.name, self.role, self.isOfProxy) = (name, role, isOfProxy)
        self.isForAll = isForAll
    }

    /// Whether pages show this person forms that change links. The API decides by itself whether a change is allowed.
    var mayEdit: Bool { role != .viewer }
    /// Whether the pages about people, tokens and the server open: the API answers them for a role in all collections alone.
    var isAdmin: Bool { role == .admin && isForAll }
}

/// The rights of a person, from the fewest to the most.
package enum ConsoleRole: String, CaseIterable, Sendable {
    case viewer, editor, admin
}
