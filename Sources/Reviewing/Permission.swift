import Associations
import Diagnostics

/// A relation that the statements of a file give to a website, or to an app with one of its keys.
struct Permission {
    let holder: Holder
    let relation: String

    /// The one who may do something.
    enum Holder {
        case key(String)
        case website(String)

        fileprivate var words: String {
            switch self {
            case .key(let fingerprint): "the key \(fingerprint)"
            case .website(let origin): "the website \(origin)"
            }
        }
    }

    fileprivate func sentence(_ verb: String) -> String { "\(holder.words) \(verb) \(relation)" }

    /// Identifies the permission, in bytes, because canonically equivalent texts are different here.
    fileprivate var identity: [UInt8] { Array(sentence("may").utf8) }
}

/// The permissions that only one of two versions gives, in the order of the files.
struct PermissionDifference {
    private let added: [Permission]
    private let removed: [Permission]

    init(_ old: [Permission], _ new: [Permission]) {
        let (before, after) = (Set(old.map(\.identity)), Set(new.map(\.identity)))
        added = new.filter { !before.contains($0.identity) }
        removed = old.filter { !after.contains($0.identity) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// A sentence for each.
    var changes: [String] {
        added.map { $0.sentence("may") } + removed.map { $0.sentence("may no longer") }
    }

    /// Scripts rely on this shape: members can be added, but are never renamed.
    var json: JSONText {
        .object([
            ("added", .strings(added.map { $0.sentence("may") })),
            ("removed", .strings(removed.map { $0.sentence("may") })),
        ])
    }
}

/// The permissions that an assetlinks.json gives as Google reads it, one relation of one holder at a
/// time.
struct Permissions {
    private(set) var byPackage = [String: [Permission]]()
    private(set) var ofWebsites = [Permission]()
    /// Whether there are too many; then there are none here.
    private(set) var areTooMany = false

    init(_ links: PublishedAssetLinks) {
        var count = 0
        for statement in links.accepted {
            count += statement.relations.count * statement.targets.count
            guard count <= Self.countMax else {
                self = Permissions()
                return
            }
            for target in statement.targets {
                for relation in statement.relations {
                    switch target {
                    case .website(let origin):
                        ofWebsites.append(Permission(holder: .website(origin), relation: relation))
                    case .app(let package, let key):
                        byPackage[package, default: []].append(
                            Permission(holder: .key(key), relation: relation))
                    }
                }
            }
        }
    }

    private init() { areTooMany = true }

    /// Statements list relations and keys, so that a short file can have many pairs of the two.
    static let countMax = 100_000
}
