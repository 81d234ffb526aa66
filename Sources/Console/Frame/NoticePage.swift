private import Markup

/// A page about signing in, or about a request that is not answered.
struct NoticePage {
    let notice: ConsoleNotice
    /// Nil where nobody is signed in.
    var person: ConsolePerson?

    func response(_ setting: ConsoleSetting) -> ConsoleResponse {
        let words = words
        var frame = PageFrame(title: words.title(setting.language), person: person)
        frame.status = notice.status
        frame.hasPasskeyScript = notice.offersSignIn && setting.isSecure
        switch notice {
        case .tooMany(let seconds, _, _), .tooOften(let seconds):
            frame.fields.append(("Retry-After", "\(seconds)"))
        case .storeUnavailable, .notSent, .providerAway: frame.fields.append(("Retry-After", "5"))
        case .leadingOn(let url, _): frame.next = url
        case .signedIn(let path): frame.next = path
        default: break
        }
        return frame.response(setting) { page in
            page.raw("<div class=\"notice\">\n")
            page.element("h1", words.title)
            // Who has to sign in finds first with what, and then what else there is.
            let isAsked = if case .signInNeeded = notice { true } else { false }
            if isAsked { writeWaysIn(&page, hasPasskeys: frame.hasPasskeyScript) }
            page.element("p", words.lead, ["name": notice.provider ?? setting.provider ?? ""])
            writeForm(&page)
            if !isAsked { writeWaysIn(&page, hasPasskeys: frame.hasPasskeyScript) }
            page.raw("</div>\n")
        }
    }

    private func writeWaysIn(_ page: inout PageWriter, hasPasskeys: Bool) {
        let setting = page.setting
        if notice.offersSignIn, let name = setting.provider {
            page.form(PagePath("sign-in", "openid"), style: "stack")
            page.nextField()
            page.write("<button class=\"primary\">\(.signInAt, ["name": name])</button></form>\n")
        }
        if hasPasskeys { page.passkeyForm(.sign, PagePath("sign-in", "passkey")) }
    }

    private func writeForm(_ page: inout PageWriter) {
        switch notice {
        case .leadingOn(let url, _): writeWay(&page, url)
        case .signedIn(let path): writeWay(&page, path)
        case .linkInvalid: writeWay(&page, PagePath().text(below: page.setting.base))
        case .tooOften:
            // On the host of the console, all paths come here.
            let (base, address) = (page.setting.base, page.setting.address ?? "")
            writeWay(&page, Console.isOwn(address, base) ? address : base)
        case .signedOut where page.setting.provider != nil:
            page.hint(.stillSignedInAt, ["name": page.setting.provider ?? ""])
        case .signIn(let action): writeForm(&page, action, [], .signIn)
        case .unknownPerson(let name?):
            page.write("<p><code dir=\"auto\">\(name)</code></p>\n")
        case .signInNeeded(let path), .ledHere(let path):
            if case .signInNeeded = notice { page.hint(.cameFromElsewhere) }
            writeWay(&page, path)
        case .sessionEnded(let action, let form):
            writeOtherTab(&page)
            writeForm(&page, action, form, .sendAgain)
        case .notSent(let action, let form), .tooMany(_, let action?, let form):
            writeForm(&page, action, form, .sendAgain)
        default: break
        }
    }

    /// The way to sign in that leaves this page, and what was typed, where it is.
    private func writeOtherTab(_ page: inout PageWriter) {
        page.raw("<p><a target=\"_blank\" rel=\"noopener\"")
        page.attribute("href", PagePath().text(below: page.setting.base))
        page.raw(">")
        if let name = page.setting.provider {
            page.words(.signInInOtherTab, ["name": name])
        } else {
            page.words(.openOtherTab)
        }
        page.raw("</a></p>\n")
    }

    private func writeWay(_ page: inout PageWriter, _ url: String) {
        page.write("<p><a class=\"button\" href=\"\(url)\">\(.goOn)</a></p>\n")
    }

    private func writeForm(
        _ page: inout PageWriter, _ action: String, _ items: [(name: String, value: String)],
        _ button: ConsoleText
    ) {
        page.write("<form method=\"post\" action=\"\(action)\"")
        // What was typed is on this page alone. To choose a language, nobody types.
        let isTyped = items.contains { !["back", "language"].contains($0.name) }
        if isTyped { page.raw(" data-kept") }
        page.raw(">\n")
        for item in items {
            page.write("<input type=\"hidden\" name=\"\(item.name)\" value=\"\(item.value)\">\n")
        }
        page.write("<button class=\"primary\">\(button)</button>\n</form>\n")
    }

    private var words: (title: ConsoleText, lead: ConsoleText) {
        switch notice {
        case .signIn: (.signIn, .signInLead)
        case .linkInvalid: (.linkInvalid, .linkInvalidLead)
        case .passkeyInvalid: (.passkeyInvalid, .passkeyInvalidLead)
        case .signInNeeded: (.signInNeeded, .signInHow)
        case .ledHere: (.ledHere, .ledHereLead)
        case .signedOut: (.signedOut, .signInHow)
        case .leadingOn: (.leadingOn, .leadingOnLead)
        case .signedIn: (.signedIn, .signedInLead)
        case .attemptInvalid: (.attemptInvalid, .attemptInvalidLead)
        case .providerRefused: (.providerRefused, .providerRefusedLead)
        case .providerAway: (.providerAway, .providerAwayLead)
        case .providerWrong: (.providerWrong, .providerWrongLead)
        case .noRole: (.noRole, .noRoleLead)
        case .signedInByProxy: (.signedInByProxy, .signedInByProxyLead)
        case .unknownPerson: (.unknownPerson, .unknownPersonLead)
        case .sessionEnded: (.sessionEnded, .sessionEndedLead)
        case .otherOrigin: (.otherOrigin, .otherOriginLead)
        case .tooMany: (.tooMany, .tooManyLead)
        case .tooOften: (.tooOften, .tooManyLead)
        case .notFound: (.notFound, .notFoundLead)
        case .notAllowed: (.notAllowed, .notAllowedLead)
        case .noCollection: (.noCollectionForYou, .noCollectionLead)
        case .methodNotAllowed: (.methodNotAllowed, .notFoundLead)
        case .formTooLarge: (.formTooLarge, .formTooLargeLead)
        case .tableTooLarge: (.formTooLarge, .fileTooLong)
        case .otherForm: (.formTooLarge, .otherFormLead)
        case .foreignChoice: (.formTooLarge, .foreignChoiceLead)
        case .storeUnavailable: (.storeUnavailable, .storeUnavailableLead)
        case .notSent: (.storeUnavailable, .notSentLead)
        case .failed: (.failed, .failedLead)
        }
    }
}
