private import Resolution

/// The path of an association file. Its file is served before all links, and neither Apple nor Google
/// follows a redirect of it.
struct AssociationPath: Hashable {
    let path: String
    var isApple: Bool { path != Router.assetLinksPath }

    /// The file that a pattern names; nil for a pattern that merely covers one.
    fileprivate init?(namedBy pattern: String, isCaseSensitive: Bool) {
        let pattern = isCaseSensitive ? pattern : pattern.lowercased()
        let named = (Router.applePaths + [Router.assetLinksPath]).first { path in
            let rest = pattern.utf8.dropFirst(path.utf8.count)
            return pattern.utf8.starts(with: path.utf8)
                && rest.first.map { "/*?".utf8.contains($0) } != false
        }
        guard let named else { return nil }
        path = named
    }
}

extension RedirectRule {
    /// Removes the patterns that name association files.
    /// - Returns: these files, each once.
    mutating func removeAssociationFiles() -> [AssociationPath] {
        var names = [AssociationPath]()
        match.removeAll { pattern in
            let name = AssociationPath(namedBy: pattern, isCaseSensitive: isCaseSensitive)
            if let name, !names.contains(name) { names.append(name) }
            return name != nil
        }
        return names
    }
}

extension Migration {
    /// Lists the answers for association files, each line once for Apple and once for Google. None is needed for a file that was read.
    mutating func listOwnAnswers() {
        var known = [Bool: Set<SourceLine>]()
        for (file, answer, source) in ownAnswers
        where known[file.isApple, default: []].insert(source).inserted {
            let isRead = file.isApple ? !appleFiles.isEmpty : !androidFiles.isEmpty
            let own = "Waymark serves \(file.path) itself"
            switch answer {
            case .page where isRead: notNeeded.append(Untranslated(source: source, reason: own))
            case .page:
                untranslated.append(
                    Untranslated(source: source, reason: "\(own): give its content to --from"))
            case .url, .own:
                let who = file.isApple ? "Apple" : "Google"
                let advice = isRead ? "" : ": give its content to --from"
                untranslated.append(
                    Untranslated(
                        source: source,
                        reason: "\(who) follows no redirect of this file, and \(own)\(advice)"))
            case .notFound, .gone:
                untranslated.append(Untranslated(source: source, reason: own))
            }
        }
        ownAnswers = []
    }
}
