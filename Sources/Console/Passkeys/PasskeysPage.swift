private import Markup

/// A passkey as its page shows it.
package struct ListedPasskey: Sendable {
    let id: String
    let name: String
    /// Seconds since 1970.
    let created: Int
    let used: Int?

    /// - Parameter id: in base64url.
    package init(id: String, name: String, created: Int, used: Int?) {
        (self.id, self.name, self.created, self.used) = (id, name, created, used)
    }
}

/// The outcome of what a person has done on the page of their passkeys.
package enum PasskeyOutcome: Sendable {
    case added, removed
    /// The browser has sent no passkey that can be used.
    case refused
    /// Its name is empty, too long, or has control characters.
    case nameless, nameTooLong, nameWithControls
    /// The device has one for this person already.
    case known
    /// The person has as many as there may be.
    case full

    var isRefusal: Bool { self != .added && self != .removed }

    fileprivate var text: ConsoleText {
        switch self {
        case .added: .passkeyAdded
        case .removed: .passkeyRemoved
        case .refused: .passkeyRefused
        case .nameless: .nameMissing
        case .nameTooLong: .passkeyNameTooLong
        case .nameWithControls: .passkeyNameWithControls
        case .known: .passkeyKnown
        case .full: .passkeyFull
        }
    }
}

/// What a person sees of their passkeys.
package struct PasskeyView: Sendable {
    let passkeys: [ListedPasskey]
    let outcome: PasskeyOutcome?
    /// The name that was typed for one that was not added.
    let typed: String
    /// The id of their last one, which they remove by saying so twice.
    let doubted: String?
    /// Whether they may have another one.
    let mayAdd: Bool

    package init(
        _ passkeys: [ListedPasskey], _ outcome: PasskeyOutcome? = nil, typed: String = "",
        doubted: String? = nil, mayAdd: Bool = true
    ) {
        (self.passkeys, self.outcome, self.typed) = (passkeys, outcome, typed)
        (self.doubted, self.mayAdd) = (doubted, mayAdd)
    }
}

extension Console {
    /// The page of a person's passkeys. What is done there is done by the service, as signing in is.
    /// - Parameter view: nil where there can be none: a browser makes one for a host over https alone.
    package static func passkeys(
        _ view: PasskeyView?, _ person: ConsolePerson, _ setting: ConsoleSetting
    ) -> ConsoleResponse { PasskeysPage(view: view, person: person).response(setting) }
}

struct PasskeysPage {
    let view: PasskeyView?
    let person: ConsolePerson

    /// The most characters of a name that browsers take; each has at most three bytes.
    private static let nameLengthMax = 64

    func response(_ setting: ConsoleSetting) -> ConsoleResponse {
        var frame = PageFrame(title: ConsoleText.passkeys(setting.language), person: person)
        frame.hasPasskeyScript = true
        frame.back = PagePath("passkeys")
        frame.isRefused = view?.outcome?.isRefusal == true
        frame.status = frame.isRefused ? 422 : view?.doubted == nil ? 200 : 409
        return frame.response(setting) { page in
            page.element("h1", .passkeys)
            page.element("p", .passkeysLead)
            guard let view else { return page.element("p", .passkeysNeedHost) }
            writeOutcome(view, &page)
            writeList(view.passkeys, &page)
            if view.mayAdd {
                writeForm(view, &page)
            } else if view.outcome != .full {
                page.hint(.passkeyFull)
            }
        }
    }

    /// The faults of the name that was typed.
    private func faults(_ view: PasskeyView) -> [FormField.Fault] {
        switch view.outcome {
        case .nameless: [.words(.nameMissing)]
        case .nameTooLong: [.words(.passkeyNameTooLong)]
        case .nameWithControls: [.words(.passkeyNameWithControls)]
        default: []
        }
    }

    private func writeOutcome(_ view: PasskeyView, _ page: inout PageWriter) {
        if let outcome = view.outcome {
            guard !faults(view).isEmpty else {
                return page.message(outcome.isRefusal ? .fault : .done, outcome.text)
            }
            page.faults { page in
                page.raw("<p>")
                page.field("name", .passkeyName)
                page.write(": \(outcome.text)</p>\n")
            }
        }
        guard let doubted = view.passkeys.first(where: { $0.id == view.doubted }) else { return }
        page.message(.fault) { page in
            page.element("p", .lastPasskeyQuestion, ["name": doubted.name])
            page.button(
                PagePath("passkeys", "remove"), .removePasskey, style: "danger", of: doubted.name,
                hidden: [("id", doubted.id), ("sure", "1")])
        }
    }

    private func writeList(_ passkeys: [ListedPasskey], _ page: inout PageWriter) {
        guard !passkeys.isEmpty else {
            return page.empty(.noPasskeys) { $0.element("p", .noPasskeysLead) }
        }
        page.table(
            .passkeys, [.text(.passkey), .text(.passkeyCreated), .text(.passkeyUsed), .deeds]
        ) { page in
            for passkey in passkeys { write(passkey, &page) }
        }
        if passkeys.count == 1 { page.hint(.onePasskey) }
    }

    private func write(_ passkey: ListedPasskey, _ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(passkey.name)</th>")
        page.cell(.passkeyCreated, page.moment(seconds: passkey.created))
        page.cell(
            .passkeyUsed,
            passkey.used.map { page.moment(seconds: $0) } ?? page.filled(.never))
        page.raw("<td class=\"buttons\">")
        page.button(
            PagePath("passkeys", "remove"), .removePasskey, of: passkey.name,
            hidden: [("id", passkey.id)])
        page.raw("</td></tr>\n")
    }

    private func writeForm(_ view: PasskeyView, _ page: inout PageWriter) {
        page.raw("<section>\n")
        page.element("h2", .addPasskey)
        page.raw("<noscript>")
        page.hint(.passkeyNeedsScript)
        page.raw("</noscript>\n")
        let field = FormField("name", .passkeyName, faults: faults(view))
        page.passkeyForm(.make, PagePath("passkeys")) { page in
            page.formField(field) { page in
                page.raw("<input autocomplete=\"off\" required")
                page.attributes(of: field)
                page.attribute("maxlength", "\(Self.nameLengthMax)")
                // The device makes a passkey before the server sees its name.
                page.attribute("pattern", ".*\\S.*")
                page.attribute("title", page.filled(.nameMissing))
                page.attribute("value", view.typed)
                page.raw(">\n")
            }
        }
        page.raw("</section>\n")
    }
}

extension PageWriter {
    enum PasskeyUse { case make, sign }

    /// A form that the script fills in; nobody else sees it.
    mutating func passkeyForm(
        _ use: PasskeyUse, _ path: PagePath, _ content: (inout PageWriter) -> Void = { _ in }
    ) {
        let challenge =
            use == .make ? PagePath("passkeys", "challenge") : PagePath("sign-in", "challenge")
        raw("<form method=\"post\" class=\"stack\" hidden")
        attribute("action", path.text(below: setting.base))
        attribute("data-passkey", use == .make ? "make" : "use")
        attribute("data-challenge", challenge.text(below: setting.base))
        attribute("data-known", filled(.passkeyKnown))
        attribute("data-failed", filled(.passkeyFailed))
        raw(">\n")
        content(&self)
        for name in use == .make
            ? ["client", "attestation"] : ["id", "client", "data", "signature", "user"]
        { hidden(name, "") }
        if use == .sign { nextField() }
        raw("<button class=\"primary\">")
        words(use == .make ? .addPasskey : .signInWithPasskey)
        raw("</button>\n<p role=\"status\"></p>\n</form>\n")
    }

    /// Writes the page that was asked for, to which a sign-in leads back.
    mutating func nextField() {
        let doors = ["sign-", "openid"].map { PagePath($0).text(below: setting.base) }
        if let address = setting.address,
            !doors.contains(where: { address.utf8.starts(with: $0.utf8) })
        {
            hidden("next", address)
        }
    }
}
