import AppFiles
import Diagnostics

/// The findings about one manifest, by its forms. Flavours share most of them: the comparison with sites depends on the form,
/// and on what sites say of the flavour's application ID.
struct AndroidForms {
    /// The steps that are left for comparing the paths of all flavours.
    var stepsLeft = PathComparison.stepsMax
    /// The number of comparisons that were made, and of those that were taken from others.
    private(set) var count = (whole: 0, taken: 0)
    private var filters = [Form: AppFindings]()
    private var unknown = [Unknown: Comparison]()
    private var paths = [Form: [Paths]]()

    /// A form of a manifest, with what the script says of a flavour.
    struct Form: Hashable {
        private let number: Int
        private let leastAPI: Int?
        private let targetAPI: Int?
        private let lacksExported: Bool
        private let isBare: Bool
        private let mayBeOff: Bool

        /// Nil for an app without flavours.
        init?(_ app: AndroidDeclaration) {
            guard app.kind == .source, app.flavor != nil else { return nil }
            (number, leastAPI, targetAPI) = (app.form, app.leastAPI, app.targetAPIOfScript)
            (lacksExported, isBare) = (app.lacksExported != nil, app.isBare)
            mayBeOff = app.mayBeOff
        }
    }

    /// A form with an application ID that no site names: all such IDs are alike, but for the one that is near them.
    struct Unknown: Hashable {
        let form: Form
        let near: [String?]
    }

    /// The result of a comparison, with the findings that name the application ID.
    struct Comparison {
        let agreement: AppAgreement?
        let naming: [NamingFinding]
    }

    /// A finding that names the application ID.
    struct NamingFinding {
        /// Its number in the list.
        let index: Int
        let before: String
        let after: String
    }

    private struct Paths {
        let links: [PublishedLinks?]
        let findings: [PathComparison.Found]
    }

    /// The findings about filters that depend on no site.
    mutating func filterFindings(_ form: Form?, _ find: () -> AppFindings) -> AppFindings {
        guard let form else { return find() }
        if let known = filters[form] { return known }
        let found = find()
        filters[form] = found
        return found
    }

    /// The differences of paths from the links that sites publish.
    mutating func pathFindings(
        _ form: Form?, _ links: [PublishedLinks?], _ find: (inout Int) -> [PathComparison.Found]
    ) -> [PathComparison.Found] {
        guard let form else { return find(&stepsLeft) }
        if let known = paths[form]?.first(where: { $0.links == links }) { return known.findings }
        let found = find(&stepsLeft)
        paths[form, default: []].append(Paths(links: links, findings: found))
        return found
    }

    /// The agreement of an app, taken from one of the same form if no site names both.
    mutating func agreement(of comparison: inout AndroidComparison) -> AppAgreement? {
        guard let key = comparison.unknown, let package = comparison.package else {
            count.whole += 1
            return comparison.agreement(&self)
        }
        if let known = unknown[key] {
            count.taken += 1
            return comparison.agreement(like: known, package)
        }
        count.whole += 1
        let agreement = comparison.agreement(&self)
        unknown[key] = Comparison(agreement: agreement, naming: comparison.naming)
        return agreement
    }
}

extension AndroidComparison {
    /// The key that the app shares with others whose comparison is alike; nil for an app that a site names.
    fileprivate var unknown: AndroidForms.Unknown? {
        guard let form = AndroidForms.Form(app), let package, app.fault == nil,
            !sites.contains(where: { $0.names(package: package) })
        else { return nil }
        return AndroidForms.Unknown(
            form: form, near: sites.map { $0.packages?.first(near: package) })
    }

    /// The agreement of an app of the same form as another one, of which sites say the same.
    fileprivate func agreement(
        like other: AndroidForms.Comparison, _ package: String
    ) -> AppAgreement? {
        guard let known = other.agreement else { return nil }
        var findings = known.findings
        for finding in other.naming {
            let old = findings[finding.index]
            findings[finding.index] = Diagnostic(
                old.severity, old.rule, at: old.position,
                finding.before + quoted(package) + finding.after, advice: old.advice)
        }
        return AppAgreement(
            app: package, platform: .android, source: source, findings: findings,
            isBare: known.isBare, opening: known.opening)
    }
}
