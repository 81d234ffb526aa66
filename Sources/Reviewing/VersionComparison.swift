package import SiteConfiguration

/// Two versions of environments, whose sites are compared in pairs.
package struct VersionComparison {
    /// The sites by their names, or else by a host in common, in environments of the same name or in
    /// those that were named.
    package let pairs: [(old: LinkVersion?, new: LinkVersion?)]
    private let after: [LinkVersion]
    private let areNamed: Bool

    /// - Parameter areNamed: whether both sides are of one environment that was named, which can have
    ///   different names.
    package init(_ before: [LinkVersion], _ after: [LinkVersion], areNamed: Bool) {
        (self.after, self.areNamed) = (after, areNamed)
        guard before.count != 1 || after.count != 1 else {
            pairs = [(before.first, after.first)]
            return
        }
        var rest = after
        func takePartner(of old: LinkVersion, if isPartner: (LinkVersion) -> Bool) -> LinkVersion? {
            rest.firstIndex { (areNamed || $0.name == old.name) && isPartner($0) }
                .map { rest.remove(at: $0) }
        }
        let named = before.map { old in (old, takePartner(of: old) { $0.isSameSite(as: old) }) }
        let known = named.map { old, new in
            (old: Optional(old), new: new ?? takePartner(of: old) { $0.sharesHost(with: old) })
        }
        pairs = known + rest.map { (nil, $0) }
    }

    /// The changes of each pair. The settings of a process that serves several sites come before
    /// those of its sites.
    /// - Parameters:
    ///   - publicFiles: as for `VersionDifference`.
    ///   - onPair: called after each pair.
    package func differences(
        publicFiles: (Site) -> [String]?, onPair: () -> Void
    ) -> [VersionDifference] {
        var known = Set<String?>()
        return pairs.flatMap { old, new in
            defer { onPair() }
            guard old?.site?.name != nil || new?.site?.name != nil else {
                return [VersionDifference((old, new), publicFiles: publicFiles)]
            }
            let site = VersionDifference(
                (old?.withoutSettings, new?.withoutSettings), publicFiles: publicFiles)
            guard let old, known.insert(old.name).inserted,
                let partner = after.first(where: { areNamed || $0.name == old.name })
            else { return [site] }
            let process = (old.process, partner.process)
            return [VersionDifference(process, publicFiles: publicFiles), site]
        }
    }
}
