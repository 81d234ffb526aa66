private import Markup
internal import URISyntax

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
package enum PasskeyOutcome: String, Sendable {
    case added, removed
    /// The browser has sent no passkey that can be used.
    case refused
    /// It is known, or there are too many.
    case full
}

extension Console {
    /// The page of a person's passkeys. What is done there is done by the service, as signing in is.
    /// - Parameter passkeys: nil where there can be none: a browser makes one for a host over https alone.
    package static func passkeys(
        _ passkeys: [ListedPasskey]?, _ outcome: PasskeyOutcome?, _ person: ConsolePerson,
        _ setting: ConsoleSetting
    ) -> ConsoleResponse {
        PasskeysPage(passkeys: passkeys, outcome: outcome, person: person).response(setting)
    }
}

struct PasskeysPage {
    let passkeys: [ListedPasskey]?
    let outcome: PasskeyOutcome?
    let person: ConsolePerson

    func response(_ setting: ConsoleSetting) -> ConsoleResponse {
        var frame = PageFrame(title: ConsoleText.passkeys(setting.language), person: person)
        frame.hasPasskeyScript = true
        if outcome == .refused || outcome == .full { frame.status = 422 }
        return frame.response(setting) { page in
            page.element("h1", .passkeys)
            page.element("p", .passkeysLead)
            guard let passkeys else { return page.element("p", .passkeysNeedHost) }
            if let outcome { writeOutcome(&page, outcome) }
            writeList(&page, passkeys)
            writeForm(&page)
        }
    }

    private func writeOutcome(_ page: inout PageWriter, _ outcome: PasskeyOutcome) {
        let isFault = outcome == .refused || outcome == .full
        page.raw(
            isFault
                ? "<p class=\"errors\" role=\"alert\">" : "<p class=\"success\" role=\"status\">")
        switch outcome {
        case .added: page.words(.passkeyAdded)
        case .removed: page.words(.passkeyRemoved)
        case .refused: page.words(.passkeyRefused)
        case .full: page.words(.passkeyFull)
        }
        page.raw("</p>\n")
    }

    private func writeList(_ page: inout PageWriter, _ passkeys: [ListedPasskey]) {
        guard !passkeys.isEmpty else { return page.hint(.noPasskeys) }
        page.raw("<table class=\"links\">\n<thead><tr>")
        page.heading(.passkey)
        page.heading(.passkeyCreated)
        page.heading(.passkeyUsed)
        page.raw("<td></td></tr></thead>\n<tbody>\n")
        for passkey in passkeys {
            page.raw("<tr><th scope=\"row\">")
            page.value(passkey.name)
            page.raw("</th>")
            page.cell(page.moment(Timestamp(seconds: passkey.created).description))
            if let used = passkey.used {
                page.cell(page.moment(Timestamp(seconds: used).description))
            } else {
                page.cell(page.filled(.never))
            }
            page.raw("<td>")
            page.form(PagePath("passkeys", "remove"))
            page.hidden("id", passkey.id)
            page.raw("<button")
            page.attribute(
                "aria-label", page.filled(.removePasskeyNamed, ["name": passkey.name]))
            page.raw(">")
            page.words(.removePasskey)
            page.raw("</button></form></td></tr>\n")
        }
        page.raw("</tbody></table>\n")
    }

    private func writeForm(_ page: inout PageWriter) {
        page.raw("<section>\n")
        page.element("h2", .addPasskey)
        page.raw("<noscript>")
        page.hint(.passkeyNeedsScript)
        page.raw("</noscript>\n")
        page.passkeyForm(.make, PagePath("passkeys")) { page in
            page.raw("<p class=\"field\"><label for=\"name\">")
            page.words(.passkeyName)
            page.raw("</label><input id=\"name\" name=\"name\" required maxlength=\"64\"")
            page.raw(" autocomplete=\"off\"></p>\n")
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
        {
            hidden(name, "")
        }
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
