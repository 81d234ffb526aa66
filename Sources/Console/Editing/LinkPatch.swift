internal import Diagnostics
internal import JSONSyntax

/// The change of a link that a form asks for: only the members whose fields differ from those that its page had.
struct LinkPatch {
    let json: JSONText
    let isEmpty: Bool

    /// - Parameters:
    ///   - seen: the fields that the page had.
    ///   - link: the link as it is.
    init(_ form: LinkForm, from seen: LinkForm, of link: JSONValue) {
        let changed = Set(form.changes(from: seen))
        var members = [(key: String, value: JSONText)]()
        guard case .object(let whole) = form.json else {
            (json, isEmpty) = (.object([]), true)
            return
        }
        func own(_ key: String) -> JSONText { whole.first { $0.key == key }?.value ?? .null }
        func inner(_ key: String, _ name: String) -> JSONText {
            guard case .object(let inner) = own(key) else { return .null }
            return inner.first { $0.key == name }?.value ?? .null
        }
        func add(_ key: String, _ fields: [LinkField], _ name: (LinkField) -> String) {
            let fields = fields.filter(changed.contains)
            guard !fields.isEmpty else { return }
            let values = fields.map { (key: name($0), value: inner(key, name($0))) }
            members.append((key, .object(values)))
        }
        if changed.contains(.destination) || !changed.isDisjoint(with: LinkField.campaignFields) {
            members.append(("destination", own("destination")))
        }
        add("page", [.title, .description, .image], \.rawValue)
        if !changed.isDisjoint(with: LinkField.actionFields) {
            if link["web"]?.text != nil {
                members.append(("web", own("web")))
            } else {
                add("web", LinkField.actionFields, \.rawValue)
            }
        }
        add("app", [.appPath]) { _ in "path" }
        if changed.contains(.appData) {
            let value = Self.replacing(link["app"]?["data"], with: inner("app", "data"))
            if case .object(let app)? = members.last?.value, members.last?.key == "app" {
                members[members.count - 1].value = .object(app + [("data", value)])
            } else {
                members.append(("app", .object([("data", value)])))
            }
        }
        for field in [LinkField.tags, .note, .from, .until] where changed.contains(field) {
            members.append((field.rawValue, own(field.rawValue)))
        }
        if changed.contains(.after) {
            let isOne = link["after"]?.members == nil
            members.append(("after", isOne ? own("after") : .object([("default", own("after"))])))
        }
        if changed.contains(.state) {
            members.append(("state", .string(form[.state] == "disabled" ? "disabled" : "active")))
        }
        (json, isEmpty) = (.object(members), members.isEmpty)
    }

    /// Whether two forms ask for the same link. A time can be typed otherwise than it is shown: then each patch from the other is
    /// the same.
    static func isSame(_ one: LinkForm, _ other: LinkForm, of link: JSONValue) -> Bool {
        let both = [
            LinkPatch(one, from: other, of: link), LinkPatch(other, from: one, of: link),
        ]
        return both[0].json.compact.isScalarwise(both[1].json.compact)
    }

    /// A patch that leaves nothing of the data before (RFC 7396 merges objects). The reader of JSON limits its depth.
    static func replacing(_ before: JSONValue?, with after: JSONText) -> JSONText {
        guard case .object(let members) = after, let before = before?.members else { return after }
        let removed = before.filter { old in !members.contains { $0.key.isScalarwise(old.key) } }
        let kept = members.map { member in
            let old = before.last { $0.key.isScalarwise(member.key) }?.value
            return (key: member.key, value: replacing(old, with: member.value))
        }
        return .object(kept + removed.map { ($0.key, .null) })
    }
}
