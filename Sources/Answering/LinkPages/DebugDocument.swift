import Diagnostics
import HTTPMessages
import Pages
import Resolution

extension LandingDocuments {
    /// The debug page of a link, as HTML or JSON. It needs no token: everybody who has the link can
    /// see where it leads.
    func document(_ debug: FirebaseDebug, asJSON: Bool, _ languages: LanguageRanges) -> Document {
        guard !asJSON else {
            return Document(
                type: "application/json", body: Array("\(debug.json.compact)\n".utf8),
                fields: Self.fields(policy: "default-src 'none'; frame-ancestors 'none'"))
        }
        let losses = debug.notes.map { note in
            (name: "\(note.parameter) (\(note.code.rawValue))", reason: note.detail)
        }
        return document(
            DebugPage(
                debug.url, .ways(debug.ways), losses: losses, language: Self.language(languages)))
    }

    /// 400 for a long link that leads nowhere, with the reason: a page for browsers, else a line.
    func document(
        refusing fault: FirebaseFault, _ url: String, asPage: Bool, _ languages: LanguageRanges
    ) -> Document {
        guard asPage else {
            return Document(
                status: .badRequest, type: "text/plain; charset=utf-8",
                body: Array("This link leads nowhere. \(fault.words)\n".utf8),
                fields: Self.fields(policy: "default-src 'none'; frame-ancestors 'none'"))
        }
        let page = DebugPage(url, .refused(fault.words), language: Self.language(languages))
        return document(page, status: .badRequest)
    }

    private func document(_ page: DebugPage, status: Status = .ok) -> Document {
        let rendered = page.rendered(theme)
        return Document(
            status: status, type: "text/html; charset=utf-8", body: rendered.html,
            fields: Self.fields(policy: rendered.contentSecurityPolicy))
    }

    private static func language(_ languages: LanguageRanges) -> String {
        languages.best(among: DebugPage.languages) ?? DebugPage.languages[0]
    }

    private static func fields(policy: String) -> [UInt8] {
        fieldLines([
            "Cache-Control: no-store", "Vary: Accept, Accept-Language",
            "X-Content-Type-Options: nosniff",
            "X-Frame-Options: DENY", "X-Robots-Tag: noindex", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: \(policy)",
        ])
    }
}

extension FirebaseDebug {
    /// The ways of all clients; those that have the same way have it together.
    fileprivate var ways: [DebugPage.Way] {
        var ways = [DebugPage.Way]()
        for (name, explanation) in paths {
            guard let client = DebugPage.Client(rawValue: name) else { continue }
            let apps: [String] =
                switch client {
                case .iphone, .safariOnIPad, .ipad: apple
                case .android: android
                case .desktop, .preview: []
                }
            let way = DebugPage.Way(
                client, apps: apps, end: DebugPage.End(explanation.decision?.answer),
                steps: explanation.steps.map {
                    DebugPage.Step(name: $0.name, reason: $0.reason, isTaken: $0.isTaken)
                })
            if let same = ways.firstIndex(where: { $0.apps == way.apps && $0.end == way.end }) {
                ways[same].clients.append(client)
                ways[same].steps += way.steps
            } else {
                ways.append(way)
            }
        }
        return ways
    }
}

extension DebugPage.End {
    fileprivate init(_ answer: WebAnswer?) {
        self =
            switch answer {
            case .redirect(let location, _): .redirect(String(decoding: location, as: UTF8.self))
            case .page(let path): .file(path)
            case .landing(let offer): offer.isGone ? .nothing : .landing
            case .summary: .card
            case .fallback, .notFound, .gone, .tooLong, .refused, .debug, nil: .nothing
            }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the value of an Accept field names JSON.
    package var acceptsJSON: Bool { names(["application/json"]) }

    /// Whether it names HTML itself, as browsers do.
    var namesHTML: Bool { names(["text/html", "application/xhtml+xml"]) }

    /// Whether a page is among the types that it names, or it names none.
    var acceptsHTML: Bool {
        isEmpty || names(["text/html", "application/xhtml+xml", "text/*", "*/*"])
    }

    private func names(_ types: [String]) -> Bool {
        split(separator: UInt8(ascii: ",")).contains { element in
            let type = element.drop { $0 == 0x20 || $0 == 0x09 }
            return types.contains { type.starts(with: $0.utf8) }
        }
    }
}
