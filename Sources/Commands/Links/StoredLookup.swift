import ArgumentParser
import Associations
import Diagnostics
private import JSONSyntax
import LinkIndex
private import SiteConfiguration
import URISyntax

/// The options of commands that predict what a link does: they can ask a running origin for what is
/// in its store.
struct StoredLookupOptions: ParsableArguments {
    @Option(
        help:
            "The admin listener of a running origin, which is asked for stored links: ADDRESS:PORT.",
        transform: ListenAddress.init(_:))
    var admin: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "A file with the token for --admin. By default the environment variable WAYMARK_TOKEN, or "
                + "else STORE.token beside the store of the configuration, and for a database links.token in the "
                + "usual --state.", valueName: "file"))
    var tokenFile: String?

    func validate() throws {
        guard let admin else {
            guard tokenFile == nil else { throw ValidationError("--token-file is for --admin") }
            return
        }
        guard admin.address != nil else { throw ValidationError("--admin names no address") }
        guard tokenFile != "-" else { throw ValidationError("--token-file is a file here") }
    }

    /// - Parameters:
    ///   - path: of the configuration.
    ///   - environment: the one whose store has the token; nil for the only one.
    /// - Returns: nil if no origin is to be asked.
    /// - Throws: the exit status, after printing what is missing.
    func lookup(_ path: String, _ environment: String?) throws(ExitCode) -> StoredLookup? {
        guard let address = admin?.address else { return nil }
        let token = TokenSource(file: tokenFile, path: path, environmentName: environment)
        return StoredLookup(
            LinkOrigin(place: OriginPlace(admin: address), token: try token.token()))
    }
}

/// Stored links, asked for one by one at a running origin. They are decided here, by the code that
/// decides them there and with the configuration at hand.
final class StoredLookup {
    private let origin: LinkOrigin
    /// The links that were found so far.
    private(set) var index = LinkIndex()

    init(_ origin: LinkOrigin) { self.origin = origin }

    /// Asks for the link of a URL; one that does not exist changes nothing.
    /// - Throws: the exit status, after printing why the origin refuses.
    func find(_ url: LinkURL) throws(ExitCode) {
        let answer = try origin.ask(
            "GET", "links:find?url=\(url.description.queryEscaped)", accepting: [404, 410])
        let aliases = answer.json?["aliases"]?.elements?.compactMap(\.text) ?? []
        guard answer.status != 404, let collection = answer["collection"], let slug = answer["slug"]
        else { return }
        let changes = ([slug] + aliases).compactMap { name -> LinkChange? in
            var record = LinkRecord(
                collection: CollectionName(collection).number, id: 1, slug: Array(name.utf8))
            record.ownSlug = name == slug ? nil : Array(slug.utf8)
            record.state =
                answer.status == 410
                ? .deleted : answer["state"] == "disabled" ? .disabled : .active
            if record.state != .deleted { record.take(answer) }
            return LinkChange(record)
        }
        index = index.changed(changes, generation: index.generation + 1)
    }
}

extension LinkRecord {
    /// Takes over what the API says of the link.
    fileprivate mutating func take(_ answer: LinkOrigin.Answer) {
        destination = Array((answer["destination"] ?? "").utf8)
        func time(_ key: String) -> Int? { answer[key].flatMap { try? Timestamp($0) }?.seconds }
        (from, until) = (time("from"), time("until"))
        let kept = ["page", "web", "campaign", "after", "app"].compactMap { key in
            answer.json?[key].map { (key: key, value: $0.written) }
        }
        details = kept.isEmpty ? [] : Array(JSONText.object(kept).compact.utf8)
    }
}
