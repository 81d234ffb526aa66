internal import Diagnostics
internal import JSONSyntax

/// A link as its form is filled in, which is not saved: a new one, or the change of one that exists.
struct LinkDraft {
    /// Of the link that is changed; nil for a new one.
    let id: String?
    private let json: JSONText

    init(_ form: LinkForm) { (id, json) = (nil, form.json) }

    /// - Parameters:
    ///   - seen: the fields that the page of the form had.
    ///   - link: the link as it is.
    init(_ form: LinkForm, from seen: LinkForm, of link: JSONValue) {
        (id, json) = (link["id"]?.text, LinkPatch(form, from: seen, of: link).json)
    }

    /// A draft as the path of a frame has it; nil for what is no object.
    init?(_ text: String, id: String?) {
        let document = JSONDocument(Array(text.utf8), file: "")
        guard document.isValid, let root = document.root, root.members != nil else { return nil }
        (self.id, json) = (id, root.written)
    }

    /// Asks what the link would do. The API refuses that where it would refuse to save the link.
    func explained(_ api: ConsoleAPI, as clients: [String]) -> ConsoleAPI.Answer {
        api.ask(
            "POST", id.map { ["links", $0, "explain"] } ?? ["links:explain"],
            query: [("as", clients.joined(separator: ","))], json)
    }

    /// The members on which the page of the link depends, for the path of a frame.
    var shown: String {
        guard case .object(let members) = json else { return "{}" }
        let kept = members.filter { !["tags", "note"].contains($0.key) }.map { member in
            guard member.key == "app", case .object(let app) = member.value else { return member }
            return (key: "app", value: .object(app.filter { $0.key != "data" }))
        }
        return JSONText.object(kept.filter { $0.value.compact != "{}" }).compact
    }
}
