private import Markup

extension PageWriter {
    /// The sentence about what the last form has done, which the query names, with the button that undoes it.
    mutating func banner(_ request: ConsoleRequest) {
        guard let done = request.item("done") else { return }
        if let deed = SelectedLinks.Deed(rawValue: done) { return banner(request, deed) }
        if let text = Self.faults[done] { return message(.fault, text) }
        guard let text = Self.deeds[done] else { return }
        message(.done) { page in
            page.element("p", text)
            if done == "deleted", let id = request.item("link"), request.person.mayEdit {
                page.button(
                    PagePath("links", id, "restore"), .undo,
                    hidden: [
                        ("was", request.item("was") ?? "active"),
                        ("tag", request.item("seen") ?? ""),
                    ])
            }
        }
    }

    /// The sentence about what the last form has done with a link, as far as that is so now: an address may be opened later.
    mutating func banner(_ request: ConsoleRequest, of link: LinkWords) {
        let state = link.state
        switch request.item("done") {
        case "created" where !state.isLive, "created-for-later" where state != .waiting:
            if state.isLive { return message(.done, .wasCreated) }
            if state == .waiting { return message(.done, .wasCreatedForLater) }
            message(.done, .wasCreatedOnce, ["state": filled(state.text)])
        case "deleted" where state == .deleted: message(.done, .wasErased)
        case let deed? where !link.isStill(deed): break
        default: banner(request)
        }
    }

    /// The sentence about several links. Their ids are in the query, with what was different of each.
    private mutating func banner(_ request: ConsoleRequest, _ deed: SelectedLinks.Deed) {
        message(.done) { $0.writeBanner(request, deed) }
    }

    private mutating func writeBanner(_ request: ConsoleRequest, _ deed: SelectedLinks.Deed) {
        raw("<p>")
        let count = request.item("count").flatMap { Int($0) } ?? 0
        let asked = request.item("value") ?? ""
        let value = asked.utf8.count > Self.shownBytesMax ? "…" : asked
        words(
            deed.done,
            [
                "count": counted(count, .oneLink, .severalLinks),
                "value": deed == .extend
                    ? moment(TypedTime.written(value, isEnd: true, setting.clock)) : value,
            ])
        if let same = request.item("same").flatMap({ Int($0) }) {
            write(" \(.selectedWereSo, ["count": counted(same, .oneLink, .severalLinks)])")
        }
        raw("</p>\n")
        if let opposite = deed.opposite, request.person.mayEdit, request.item("id") != nil {
            var items = [("do", opposite.rawValue)]
            for (name, value) in request.query {
                if Self.isOfUndoing(name) {
                    items.append((name, value))
                } else if Self.bulkFilters.contains(name) {
                    items.append(("filter.\(name)", value))
                }
            }
            button(PagePath("links", "selected"), .undo, hidden: items)
        }
    }

    /// The most bytes of a value in a sentence; three dots stand for a longer one.
    private static let shownBytesMax = 200

    private static let deeds: [String: ConsoleText] = [
        "created": .wasCreated, "created-for-later": .wasCreatedForLater,
        "changed": .wasChanged, "unchanged": .wasUnchanged,
        "deleted": .wasDeleted, "restored": .wasRestored, "erased": .wasErased,
        "changed-meanwhile": .changedMeanwhile,
        "enabled": .wasEnabled, "disabled": .wasDisabled, "alias": .aliasWasAdded,
        "person-removed": .personWasRemoved, "signed-out": .personWasSignedOut,
        "token-removed": .tokenWasRemoved,
    ]

    private static let faults: [String: ConsoleText] = [
        "nothing-selected": .nothingSelected, "too-many-selected": .tooManySelected,
        "end-is-over": .endIsOver, "end-unread": .endUnread,
    ]
}
