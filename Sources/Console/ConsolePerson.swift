/// The person whose session a request belongs to.
package struct ConsolePerson: Sendable {
    package let name: String
    package let role: ConsoleRole

    /// Whether a proxy has signed them in, at which they sign out, too.
    let isOfProxy: Bool

    package init(_ name: String, _ role: ConsoleRole, isOfProxy: Bool = false) {
        (self.name, self.role, self.isOfProxy) = (name, role, isOfProxy)
    }

    /// Whether pages show this person forms that change links. The API decides by itself whether a change is allowed.
    var mayEdit: Bool { role != .viewer }
    /// Whether they show what is about people and tokens.
    var isAdmin: Bool { role == .admin }
}

/// The rights of a person, from the fewest to the most.
package enum ConsoleRole: String, CaseIterable, Sendable {
    case viewer, editor, admin
}
