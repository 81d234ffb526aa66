import Answering
import Console
import HTTPMessages
import LinkAPI
import LinkStore
import SharedStore
import Sockets
import URISyntax

/// The transfers that take longer than a page: an import, which has a thread of its own, and an export, for which nothing waits.
/// Both are the operations of the API, with the rights of the person and its limits of how many are under way.
struct ConsoleTransfer: Sendable {
    let turn: ConsoleTurn
    let links: LinkService
    let person: StoredPerson

    private func show(_ notice: ConsoleNotice, _ shown: ConsolePerson) {
        turn.answer(Console.notice(notice, turn.setting, person: shown))
    }

    // MARK: Import

    /// Answers the form of an import on a thread of its own.
    /// - Parameter form: nil if its content is still to come.
    func importForm(_ form: ConsoleForm?, _ shown: ConsolePerson) {
        guard case .success(let place) = links.uploads.take(person.actor) else {
            return show(.tooMany(retryAfterSeconds: 5), shown)
        }
        guard let wakeup = try? Wakeup() else {
            return turn.refuse(
                .serviceUnavailable, "no descriptor is left for an import", retryAfter: 5)
        }
        turn.relay.hand { _ in wakeup.wake() }
        do throws(SystemError) {
            try startThread(name: "waymark-upload") { answer(form, shown, wakeup, place) }
        } catch {
            turn.refuse(.serviceUnavailable, links.noThread(error), retryAfter: 5)
        }
    }

    private func answer(
        _ form: ConsoleForm?, _ shown: ConsolePerson, _ wakeup: Wakeup,
        _ place: TokenPlaces.Place
    ) {
        defer { place.giveBack() }
        let sent: ConsoleForm
        do throws(ConsoleForm.Fault) {
            if let form {
                sent = form
            } else {
                guard let content = turn.content(wakeup) else { return }
                sent = try ConsoleForm(content, turn.head)
            }
        } catch {
            return show(error == .tooLong ? .formTooLarge : .otherForm, shown)
        }
        let request = ConsoleRequest(
            .post, ["import"], query: [], form: sent.items, person: shown, setting: turn.setting,
            now: Clock.unixSeconds)
        let deadline = Clock.monotonicMilliseconds + ConsoleTurn.answerMilliseconds
        let asker = StoreAsker(links, wakeup, until: deadline) { [turn] in
            turn.request.isCancelled
        }
        let response = Console.answer(
            request,
            ConsoleAPI { question in
                let request = APIRequest(question)
                return question.path == ["import"]
                    ? imported(request, wakeup)
                    : ConsoleAPI.Answer(asker.answer(request, of: person, turn.api))
            })
        // Who has the answer can send the next form.
        place.giveBack()
        turn.answer(response)
    }

    /// Hands an import to the API as if a client had sent it, and reads the answer like one.
    private func imported(_ request: APIRequest, _ wakeup: Wakeup) -> ConsoleAPI.Answer {
        let admitted: AdmittedRequest
        switch turn.api.admit(request, of: person, at: links.clock.milliseconds) {
        case .failure(let response): return ConsoleAPI.Answer(response)
        case .success(let found): admitted = found
        }
        guard case .import(let options) = admitted.transfer else {
            return ConsoleAPI.Answer(.noOperation)
        }
        guard case .success(let place) = links.imports.take(admitted.token) else {
            return ConsoleAPI.Answer(turn.api.busy("too many imports are under way", for: request))
        }
        let work = ImportThread(links, turn.api, admitted, options, place)
        let route = HandledRoute(.streamed(bytesMax: nil), advance: work.advance)
        guard let inner = HandledRequest(turn.head, for: FixedRoute(route: route)) else {
            return ConsoleAPI.Answer(.noOperation)
        }
        let outer = turn.request
        inner.start(of: outer.client) {
            // As long as lines are written, the browser waits.
            outer.goOn()
            wakeup.wake()
        }
        _ = inner.receive(request.content, isLast: true)
        return answer(of: inner, wakeup)
    }

    private func answer(of inner: HandledRequest, _ wakeup: Wakeup) -> ConsoleAPI.Answer {
        var (status, type, content) = (500, "", [UInt8]())
        while true {
            switch inner.takeOutput() {
            case .head(let found, let fields, _):
                status = Int(found.rawValue)
                type = Self.type(fields)
            case .piece(let bytes): content += bytes
            case .end:
                return ConsoleAPI.Answer(status: status, type: type, fields: [:], content: content)
            case .aborted: return ConsoleAPI.Answer(.unavailable("the import has failed"))
            case .nothing:
                if turn.request.isCancelled {
                    // What has come is imported: a browser that sends its form again waits for the other answer.
                    inner.cancel(isRefused: turn.request.isRefused)
                    return ConsoleAPI.Answer(.unavailable("nobody waits for it"))
                }
                wakeup.wait(atMost: 1_000)
            }
        }
    }

    /// The value of `Content-Type` in the lines of an answer's fields.
    private static func type(_ fields: [UInt8]) -> String {
        let name = "Content-Type: "
        for line in fields.split(separator: 0x0D) {
            let text = line.drop { $0 == 0x0A }
            if text.starts(with: name.utf8) {
                return String(decoding: text.dropFirst(name.utf8.count), as: UTF8.self)
            }
        }
        return ""
    }

    /// Hands a request to one route.
    private struct FixedRoute: RequestHandler {
        let route: HandledRoute

        var sitePrefix: String? { nil }
        func route(_ head: HandledHead) -> HandledRoute? { route }
    }

    // MARK: Export

    /// Answers with the API's export as a table.
    func export() {
        let query = queryItems(turn.head.query ?? "").filter { $0.name != "format" }
        let request = APIRequest(
            method: "GET", path: ["export"], query: query + [("format", "csv")], fields: [:],
            content: [])
        let admitted: AdmittedRequest
        switch turn.api.admit(request, of: person, at: links.clock.milliseconds) {
        case .failure(let response): return turn.request.answer(response)
        case .success(let found): admitted = found
        }
        guard case .export(let export) = admitted.transfer else {
            return turn.request.answer(.noOperation)
        }
        guard case .success(let place) = links.exports.take(admitted.token) else {
            return turn.request.answer(
                turn.api.busy("too many exports are under way", for: request))
        }
        let flow = ExportFlow(
            links, turn.api, admitted, export, place,
            fields: [
                "Content-Disposition: attachment; filename=\"links.csv\"",
                "X-Robots-Tag: noindex, nofollow",
                "Cross-Origin-Resource-Policy: same-origin", "Content-Security-Policy: sandbox",
            ])
        turn.relay.hand(to: flow.advance)
        flow.advance(turn.request)
    }
}
