private import Markup

extension PageWriter {
    /// The sentence about what the last form has done, which the query names, with the button that undoes it.
    mutating func banner(_ request: ConsoleRequest) {
        guard let done = request.item("done"), let text = Self.deeds[done] else { return }
        raw("<div class=\"success\" role=\"status\"><p>")
        words(text)
        raw("</p>\n")
        if done == "deleted", let id = request.item("link"), request.person.mayEdit {
            button(
                PagePath("links", id, "restore"), .undo,
                hidden: [("was", request.item("was") ?? "active")])
        }
        raw("</div>\n")
    }

    private static let deeds: [String: ConsoleText] = [
        "created": .wasCreated, "changed": .wasChanged, "unchanged": .wasUnchanged,
        "deleted": .wasDeleted, "restored": .wasRestored, "erased": .wasErased,
        "changed-meanwhile": .changedMeanwhile,
        "enabled": .wasEnabled, "disabled": .wasDisabled, "alias": .aliasWasAdded,
        "selected": .selectedWereChanged, "nothing-selected": .nothingSelected,
        "person-removed": .personWasRemoved, "signed-out": .personWasSignedOut,
        "token-removed": .tokenWasRemoved,
    ]
}
