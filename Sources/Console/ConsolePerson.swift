/// The person whose session a request belongs to.
package struct ConsolePerson: Sendable {
    package let name: String
    package let role: ConsoleRole
    /// The collections that the person is for; nil for all.
    package let collections: [String]?

    package init(_ name: String, _ role: ConsoleRole, collections: [String]? = nil) {
        (self.name, self.role, self.collections) = (name, role, collections)
    }

    /// Whether pages show this person forms that change links. The API decides by itself whether a change is allowed.
    var mayEdit: Bool { role != .viewer }
}

/// The rights of a person, from the fewest to the most.
package enum ConsoleRole: String, CaseIterable, Sendable {
    case viewer, editor, admin
}
