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
        frame.hasPasskeyScript = notice.offersPasskey && setting.isSecure
        switch notice {
        case .tooMany(let seconds): frame.fields.append(("Retry-After", "\(seconds)"))
        case .storeUnavailable, .notSent: frame.fields.append(("Retry-After", "5"))
        default: break
        }
        return frame.response(setting) { page in
            page.raw("<div class=\"notice\">\n")
            page.element("h1", words.title)
            page.element("p", words.lead)
            writeForm(&page)
            if frame.hasPasskeyScript {
                page.passkeyForm(.sign, PagePath("sign-in", "passkey"))
            }
            page.raw("</div>\n")
        }
    }

    private func writeForm(_ page: inout PageWriter) {
        switch notice {
        case .signIn(let action): writeForm(&page, action, [], .signIn)
        case .unknownPerson(let name?):
            page.raw("<p><code dir=\"auto\">")
            page.value(name)
            page.raw("</code></p>\n")
        case .signInNeeded(let path):
            page.hint(.cameFromElsewhere)
            page.raw("<p><a class=\"button\"")
            page.attribute("href", path)
            page.raw(">")
            page.words(.goOn)
            page.raw("</a></p>\n")
        case .sessionEnded(let action, let form), .notSent(let action, let form):
            writeForm(&page, action, form, .sendAgain)
        default: break
        }
    }

    private func writeForm(
        _ page: inout PageWriter, _ action: String, _ items: [(name: String, value: String)],
        _ button: ConsoleText
    ) {
        page.raw("<form method=\"post\"")
        page.attribute("action", action)
        page.raw(">\n")
        for item in items {
            page.raw("<input type=\"hidden\"")
            page.attribute("name", item.name)
            page.attribute("value", item.value)
            page.raw(">\n")
        }
        page.raw("<button class=\"primary\">")
        page.words(button)
        page.raw("</button>\n</form>\n")
    }

    private var words: (title: ConsoleText, lead: ConsoleText) {
        switch notice {
        case .signIn: (.signIn, .signInLead)
        case .linkInvalid: (.linkInvalid, .signInHow)
        case .passkeyInvalid: (.passkeyInvalid, .passkeyInvalidLead)
        case .signInNeeded: (.signInNeeded, .signInHow)
        case .signedOut: (.signedOut, .signInHow)
        case .signedInByProxy: (.signedInByProxy, .signedInByProxyLead)
        case .unknownPerson: (.unknownPerson, .unknownPersonLead)
        case .sessionEnded: (.sessionEnded, .sessionEndedLead)
        case .otherOrigin: (.otherOrigin, .otherOriginLead)
        case .tooMany: (.tooMany, .tooManyLead)
        case .notFound: (.notFound, .notFoundLead)
        case .notAllowed: (.notAllowed, .notAllowedLead)
        case .methodNotAllowed: (.methodNotAllowed, .notFoundLead)
        case .formTooLarge: (.formTooLarge, .formTooLargeLead)
        case .tableTooLarge: (.formTooLarge, .fileTooLong)
        case .otherForm: (.formTooLarge, .otherFormLead)
        case .storeUnavailable: (.storeUnavailable, .storeUnavailableLead)
        case .notSent: (.storeUnavailable, .notSentLead)
        case .failed: (.failed, .failedLead)
        }
    }
}
