internal import JSONSyntax
private import Markup
private import URISyntax

/// A row of the preview: one client, in the words of a colleague.
struct PreviewRow {
    let client: PreviewClient
    /// The answer of `explain`.
    let explanation: JSONValue?
    private let opens: Bool

    init(client: PreviewClient, explanation: JSONValue?) {
        let identifiers = (explanation?["opens"]?.elements ?? []).compactMap(\.text)
        self.init(client: client, explanation: explanation, opens: identifiers)
    }

    /// - Parameter identifiers: of the apps that open the link.
    init(client: PreviewClient, explanation: JSONValue?, opens identifiers: [String]) {
        (self.client, self.explanation) = (client, explanation)
        opens = client.opens(identifiers)
    }

    func write(_ page: inout PageWriter) {
        page.write("<tr><th scope=\"row\">\(client.label)")
        page.write("</th><td data-label=\"\(page.filled(.theApp))\">")
        writeApp(&page)
        page.write("</td><td data-label=\"\(page.filled(.withoutApp))\">")
        writeAnswer(&page)
        writeSteps(&page)
        page.write("</td><td class=\"quiet\" data-label=\"\(page.filled(.goodToKnow))\">")
        if let caveat { page.words(caveat) } else { page.raw("–") }
        page.raw("</td></tr>\n")
    }

    /// The same in short, as an item of a list.
    func writeLine(_ page: inout PageWriter) {
        page.write("<li><strong>\(client.label)</strong> ")
        if client.app != .program { writeApp(&page) }
        page.raw("<span>")
        if client.app == .apple || client.app == .android {
            page.write("<span class=\"quiet\">\(.withoutApp):</span> ")
        }
        writeAnswer(&page)
        page.raw("</span></li>\n")
    }

    /// The remark, where it is true of this answer.
    private var caveat: ConsoleText? {
        switch client.app {
        case .apple where client.name != "ipad-safari", .android: opens ? client.caveat : nil
        case .never: seesLanding ? client.caveat : nil
        default: client.caveat
        }
    }

    private var seesLanding: Bool {
        explanation?["answer"]?["page"]?.text == "landing"
            && explanation?["answer"]?["status"]?.count == 200
    }

    private func writeApp(_ page: inout PageWriter) {
        switch client.app {
        case .program: page.raw("–")
        case .never: page.words(.keepsLink)
        case .apple, .android:
            page.raw(opens ? "<span class=\"state live\">" : "<span class=\"state\">")
            page.write("\(opens ? .opensApp : .opensNoApp)</span>")
        }
    }

    private func writeAnswer(_ page: inout PageWriter) {
        let answer = explanation?["answer"]
        if let location = answer?["location"]?.text {
            if Self.isStore(location) {
                page.words(.goesToStore)
            } else {
                page.words(.goesTo)
            }
            page.write(" <span class=\"address\">\(location)</span>")
            return
        }
        switch answer?["page"]?.text {
        case "landing" where seesLanding: page.words(.seesLanding)
        case "summary": page.words(.getsCard)
        case "landing", nil: page.words(status(answer?["status"]?.count))
        case .some(let path):
            page.write("\(.seesFile) <span class=\"address\">\(path)</span>")
        }
    }

    private func status(_ number: Int?) -> ConsoleText {
        switch number {
        case 404: .seesNothing
        case 410: .seesGone
        case 400, 414: .isRefused
        default: .answeredEarlier
        }
    }

    static func isStore(_ location: String) -> Bool {
        guard let url = try? WebURL(location), url.isSecure, url.hasDefaultPort else {
            return false
        }
        return switch url.host.description {
        case "apps.apple.com": true
        case "play.google.com": url.path.utf8.starts(with: "/store/".utf8)
        default: false
        }
    }

    private func name(of step: String, _ language: ConsoleLanguage) -> String {
        guard language == .de else { return step }
        return Self.german[step] ?? step.replacing("link ", with: "Link ", maxReplacements: 1)
    }

    private static let german = [
        "address": "Adresse", "path": "Pfad", "host": "Host", "association file": "Zuordnungsdatei",
        "certificate challenge": "Prüfung des Zertifikats", "reserved path": "reservierter Pfad",
        "plain HTTP": "HTTP ohne TLS", "change password": "Passwort ändern",
        "public file": "öffentliche Datei", "apps": "Apps", "directory": "Verzeichnis",
        "links": "Links", "action": "Aktion", "time": "Zeit", "unmatched": "kein Treffer",
        "program": "Programm", "open in app": "in der App öffnen", "store": "Store",
        "sentence": "Satz", "web": "Web", "site": "Website",
    ]

    private func writeSteps(_ page: inout PageWriter) {
        page.write("<details class=\"steps\"><summary>\(.why)")
        page.unseen(page.filled(client.label))
        page.raw("</summary><ol>\n")
        for step in explanation?["steps"]?.elements ?? [] {
            let isTaken = step["taken"]?.boolean == true
            page.raw(isTaken ? "<li><strong>" : "<li class=\"quiet\"><span>")
            page.value(name(of: step["step"]?.text ?? "", page.setting.language))
            page.raw(isTaken ? "</strong>: " : "</span>: ")
            page.foreign(step["reason"]?.text ?? "")
            page.raw("</li>\n")
        }
        page.raw("</ol></details>")
    }
}
