import Associations
import HTTPClient
private import JSONSyntax

/// The use of an association file.
enum LinkUse {
    /// A link can open an app.
    case links
    /// Its apps share only other things with the site, such as passwords.
    case others
    /// Its only rules are in files that it includes.
    case elsewhere
    case nothing

    init(of bytes: [UInt8], _ hop: Hop) {
        self =
            hop == .apple
            ? Self.use(AssociationReading(bytes, file: ""))
            : Self.use(AssetLinksReading(bytes, file: ""))
    }

    private static func use(_ file: AssociationReading) -> LinkUse {
        let opens = file.details.contains { entry in
            !entry.appIDs.isEmpty && entry.rules?.contains { !$0.exclude } != false
        }
        if opens || !file.unconstrainedApps.isEmpty { return .links }
        return file.services.values.contains { !$0.isEmpty } ? .others : .nothing
    }

    private static func use(_ file: AssetLinksReading) -> LinkUse {
        let entries = file.json.root?.elements ?? []
        let opens = file.statements.contains { statement in
            statement.package != nil && !statement.fingerprints.isEmpty
                && statement.relations.contains { $0.value.hasSuffix("handle_all_urls") }
        }
        if opens { return .links }
        if entries.contains(where: { $0["include"] != nil }) { return .elsewhere }
        return entries.isEmpty ? .nothing : .others
    }
}

extension FetchResponse {
    /// Whether the bucket of a store such as S3 refuses it.
    var isOfBucket: Bool {
        let mark = Array("<Code>AccessDenied</Code>".utf8)
        let beginning = bytes.prefix(1_024)
        return beginning.indices.contains { beginning[$0...].starts(with: mark) }
    }

    /// Whether there is no such file, as far as the answer tells.
    var isMissing: Bool { [404, 410].contains(status) || status == 403 && isOfBucket }
}
