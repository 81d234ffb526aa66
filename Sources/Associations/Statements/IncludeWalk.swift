private import Diagnostics

/// Reads a statement list, and then the lists that it includes, one after the other.
struct IncludeWalk {
    private(set) var result = PublishedAssetLinks()
    private let includes: [String: PublishedAssetLinks.File]
    private var includesLeft = PublishedAssetLinks.includesMax
    private var numbers = [String: Int]()

    init(includes: [String: PublishedAssetLinks.File]) { self.includes = includes }

    /// - Parameter isSecure: whether the file, or one that led to it, is served over https.
    mutating func read(_ file: PublishedAssetLinks.File, depth: Int, isSecure: Bool) {
        let known = numbers[file.name]
        let list = StatementParser(file, depth: depth, number: known ?? result.files.count)
        // A file that is included twice has no new statements, but costs another request.
        if known == nil {
            numbers[file.name] = result.files.count
            result.files.append(file)
            result.accepted += list.accepted
            result.faults += list.faults
        }
        for include in list.includes {
            guard includesLeft > 0 else {
                return add(
                    list.fault(
                        .fetchBudgetExhausted,
                        "more than \(PublishedAssetLinks.includesMax) includes are not followed; "
                            + "perhaps files include one another", include.position, include.pointer
                    ))
            }
            includesLeft -= 1
            follow(include, of: list, depth: depth, isSecure: isSecure)
        }
    }

    private mutating func follow(
        _ include: StatementParser.Include, of list: StatementParser, depth: Int, isSecure: Bool
    ) {
        guard include.isSecure || !isSecure else {
            return add(
                list.fault(
                    .secureAssetIncludesInsecure,
                    "an https file includes \(quoted(include.url)), which is not https",
                    include.position, include.pointer))
        }
        guard let file = includes[include.url] else {
            if !result.missingIncludes.contains(include.url) {
                result.missingIncludes.append(include.url)
            }
            return
        }
        result.readIncludes.insert(include.url)
        read(file, depth: depth + 1, isSecure: isSecure || include.isSecure)
    }

    private mutating func add(_ fault: PublishedAssetLinks.Fault) {
        if !result.faults.contains(fault) { result.faults.append(fault) }
    }
}

extension PublishedAssetLinks {
    fileprivate init() {}
}
