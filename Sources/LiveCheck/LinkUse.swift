import Associations
import HTTPClient

/// The use of an association file.
enum LinkUse {
    /// A link can open an app.
    case links
    /// Its apps share only other things with the site, such as passwords.
    case others
    /// Its only rules are in files that it includes.
    case elsewhere
    case nothing
}

extension AssetLinksReading {
    /// The keys with which apps may open links, by the statements that Google accepts, the JSON
    /// pointers of these, and the URLs of includes that Google follows.
    var keysForLinks: (byPackage: [String: Set<String>], pointers: Set<String>, includes: [String])
    {
        let links = PublishedAssetLinks(json: json)
        var result = (
            byPackage: [String: Set<String>](), pointers: Set<String>(),
            includes: links.missingIncludes
        )
        for statement in links.accepted where statement.opensLinks {
            for case .app(let package, let fingerprint) in statement.targets {
                result.byPackage[package, default: []].insert(fingerprint)
                result.pointers.insert(statement.pointer)
            }
        }
        return result
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
