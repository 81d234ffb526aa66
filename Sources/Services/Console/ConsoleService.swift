package import Answering
import Console
package import Diagnostics
import HTTPMessages
import LinkAPI
package import Sockets
import Synchronization

/// The console on a thread of its own, which may wait for the store. It is on the admin listener, and over https on the
/// host that the configuration names; requests for anything else are those of the API.
package final class ConsoleService: Service, RequestHandler {
    let links: LinkService
    package let thread: ServiceThread
    private let queue = Mutex([ConsoleTurn]())
    /// The origin whose health is shown; nil until it has started.
    private let origin = Mutex<ServedOrigin?>(nil)
    /// The rates of requests, by network.
    private let rates = RequestRates<String>(burst: 300, perSecond: 50)
    /// The rates of attempts to sign in, by network.
    private let signInRates = RequestRates<String>(burst: 10, perSecond: 1)
    /// The rates of pages that refuse a request, by network.
    private let refusalRates = RequestRates<String>(burst: 10, perSecond: 1)

    /// The people whom proxies have signed in.
    let signIns = ProxySignIns()
    /// The threads on which a provider is asked.
    let desk = ProviderDesk()

    package init(_ links: LinkService) throws(SystemError) {
        self.links = links
        thread = try ServiceThread()
        try thread.start(name: "waymark-console") { [self] in
            thread.takeTurns { self.answerAll() }
        }
    }

    package var stopLoss: Diagnostic? { nil }

    /// Shows the health of an origin from now on.
    package func serve(_ served: ServedOrigin) { origin.withLock { $0 = served } }

    // MARK: For loops

    package var sitePrefix: String? { links.sitePrefix }

    package func route(_ head: HandledHead) -> HandledRoute? {
        guard let api = links.api, isOwn(head, api) else { return links.route(head) }
        guard head.isCovered else { return .refusing(.misdirected) }
        let gate = ConsoleGate(head)
        // A long table comes into memory only when it has got one of the places of imports.
        let isStreamed =
            gate == .open && ConsoleForm.isImport(head)
            && head.value(of: "content-length").flatMap { Int($0) } ?? .max > ConsoleForm.bytesMax
        let content: HandledRoute.Content =
            switch (gate, head.method) {
            case (.open, .post) where isStreamed: .streamed(bytesMax: ConsoleForm.importBytesMax)
            case (.open, .post): .whole(bytesMax: ConsoleForm.bytesMax)
            case (.open, _): .whole(bytesMax: 0)
            default: .refused
            }
        let relay = ConsoleRelay()
        return HandledRoute(content) { [self] request in
            relay.advance(request) { request in
                take(ConsoleTurn(request, gate, api, signIns, desk, relay, isStreamed: isStreamed))
            }
        }
    }

    /// Whether a request is for the console. Its host has nothing else; the admin listener has.
    private func isOwn(_ head: HandledHead, _ api: LinkAPI) -> Bool {
        switch head.scope {
        case .admin:
            head.path.utf8.starts(with: "/console/".utf8)
                || head.path.utf8.elementsEqual("/console".utf8)
        // A cookie is not for everybody on the way.
        case .otherHost: head.isSecure && head.host == api.consoleHost
        case .site: false
        }
    }

    private func take(_ turn: ConsoleTurn) {
        guard !turn.request.isCancelled else { return }
        let network = turn.network
        let isSignIn = turn.request.head.method == .post && turn.isSignIn || turn.isOfProvider
        let seconds =
            rates.take(network, at: Clock.unixMilliseconds)
            ?? (isSignIn ? signInRates.take(network, at: Clock.unixMilliseconds) : nil)
        // Whoever goes on asking that often gets a line, and no page.
        if let seconds {
            guard turn.takesPage, refusalRates.take(network, at: Clock.unixMilliseconds) == nil
            else { return turn.refuse(.tooManyRequests, "too many requests", retryAfter: seconds) }
            let isForm = turn.head.method == .post && turn.gate == .open && !turn.isStreamed
            let form = isForm ? try? ConsoleForm(of: turn.request) : nil
            let notice =
                turn.head.method == .post
                ? ConsoleNotice.tooMany(
                    retryAfterSeconds: seconds, action: form == nil ? nil : turn.head.path,
                    form: form?.items ?? [])
                : .tooOften(retryAfterSeconds: seconds)
            return turn.answer(Console.notice(notice, turn.setting))
        }
        var turn = turn
        guard turn.claimMemory(links.memory) else {
            _ = links.noMemory("a request to the console")
            return turn.refuse(.serviceUnavailable, "there is no memory for it now", retryAfter: 1)
        }
        let isTaken = queue.withLock { [turn] queue in
            guard queue.count < Self.waitingMax else { return false }
            queue.append(turn)
            return true
        }
        guard isTaken else {
            return turn.refuse(
                .serviceUnavailable, "too many requests wait for the console", retryAfter: 1)
        }
        thread.wakeup.wake()
    }

    private static let waitingMax = 256

    // MARK: The thread

    /// - Returns: the longest wait for the next turn.
    private func answerAll() -> Int {
        while let turn = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            guard !thread.isEnding, !turn.request.isCancelled else { continue }
            let asker = StoreAsker(links, thread.wakeup, until: turn.deadline) { [thread] in
                thread.isEnding
            }
            ConsoleAnswering(turn, asker, origin.withLock { $0 }).answer()
        }
        return .max
    }
}
