import Answering
import Console
import Sockets
import URISyntax

/// A long table that is sent without a session, or while the store is away. It comes back with the page that says so, to be sent again;
/// no server keeps it.
struct ReturnedUpload: Sendable {
    let turn: ConsoleTurn
    let links: LinkService

    /// Answers with the notice for the items of the form; with another one where there is no room for the table.
    func answer(
        _ notice: @escaping @Sendable ([(name: String, value: String)]) -> ConsoleNotice,
        without other: ConsoleNotice
    ) {
        guard case .success(let place) = links.uploads.take(Self.nobody) else { return show(other) }
        guard let wakeup = try? Wakeup() else { return show(other) }
        turn.relay.hand { _ in wakeup.wake() }
        do throws(SystemError) {
            try startThread(name: "waymark-upload") {
                defer { place.giveBack() }
                guard let content = turn.content(wakeup) else { return }
                let form = try? ConsoleForm(content, turn.head)
                show(form.map { notice($0.sentAgain) } ?? other)
            }
        } catch {
            _ = links.noThread(error)
            show(other)
        }
    }

    private func show(_ notice: ConsoleNotice) { turn.answer(Console.notice(notice, turn.setting)) }

    /// The key of the places that all clients without a session share. The keys of people are negative.
    private static let nobody = Int.max
}

extension ConsoleTurn {
    /// The whole content; nil if it does not come. Its length has a limit already.
    func content(_ wakeup: Wakeup) -> [UInt8]? {
        let stream = BlockingStream(request: request, wakeup: wakeup)
        var content = [UInt8]()
        while true {
            switch stream.next() {
            case .piece(let bytes): content += bytes
            case .later: continue
            case .end: return content
            // A client that sends too slowly has its answer from the loop.
            case .stalled, .cancelled: return nil
            }
        }
    }
}

extension ConsoleForm {
    /// The items for a form that is sent again. A pasted table is bytes there, which hidden fields of a page do not change; it takes the
    /// place of the one that the form had before. Beside a file it stays text, for only one of them can be meant.
    fileprivate var sentAgain: [(name: String, value: String)] {
        let hasFile = items.contains {
            $0.name.utf8.elementsEqual("file".utf8) && !$0.value.isEmpty
        }
        let isPasted = items.contains { name, value in
            name.utf8.elementsEqual("text".utf8) && value.utf8.contains { $0 > 0x20 }
        }
        guard isPasted, !hasFile else {
            return items.filter { isPasted || !$0.name.utf8.elementsEqual("text".utf8) }
        }
        return items.compactMap { name, value in
            switch name {
            case "text": (name: "content", value: base64URL(Array(value.utf8)))
            case "content", "content.name": nil
            default: (name: name, value: value)
            }
        }
    }
}
