package import Diagnostics

/// Whether what an app declares agrees with what a site publishes.
package struct AppAgreement: Sendable {
    package enum Platform: String, Sendable {
        case ios, macos, android

        /// The name for people.
        package var name: String {
            switch self {
            case .ios: "iOS"
            case .macos: "macOS"
            case .android: "Android"
            }
        }

        /// Whether it reads `apple-app-site-association`.
        package var isOfApple: Bool { self != .android }
    }

    package enum Verdict: String, Sendable {
        case agrees, differs, unknown
    }

    /// The identifier of the app; nil if the file does not have it.
    package let app: String?
    /// Nil for a file that could not be read.
    package let platform: Platform?
    /// The file, and within an archive the bundle.
    package let source: String
    package internal(set) var findings: [Diagnostic]
    /// Whether it is of an app, and not of an `Info.plist`, of which nothing is compared.
    package var isOfApp = true
    /// Whether the source has no filter at all, which a library or a plugin can bring.
    var isBare = false
    /// Rules whose findings leave the verdict of this app open.
    var opening = Set<RuleName>()

    /// The finding that was left out, and says what cannot be known.
    var leftOpen: Diagnostic?

    /// The verdict of all findings: an error is a difference, and what cannot be known is open. It stays open without the
    /// findings that say so: nobody knows more.
    package var verdict: Verdict {
        if findings.contains(where: { $0.severity == .error && $0.rule != .appFileForm }) {
            return .differs
        }
        return leftOpen != nil || findings.contains(where: leavesOpen) ? .unknown : .agrees
    }

    /// The finding that the verdict rests on.
    package var reason: Diagnostic? {
        switch verdict {
        case .agrees: nil
        case .differs: findings.first { $0.severity == .error }
        case .unknown: findings.first(where: leavesOpen) ?? leftOpen
        }
    }

    /// The same without findings of some rules. The verdict is then that of the others, unless one that is left out says
    /// that something cannot be known.
    package func without(_ isLeftOut: (Diagnostic) -> Bool) -> AppAgreement {
        var agreement = self
        agreement.leftOpen = findings.first { isLeftOut($0) && leavesOpen($0) } ?? leftOpen
        agreement.findings.removeAll(where: isLeftOut)
        return agreement
    }

    /// Leaves open what errors of some rules say.
    /// - Parameter advice: in the place of theirs.
    mutating func open(_ rules: Set<RuleName>, advice: String? = nil) {
        for index in findings.indices
        where findings[index].severity == .error && rules.contains(findings[index].rule) {
            let finding = findings[index]
            opening.insert(finding.rule)
            findings[index] = Diagnostic(
                .warning, finding.rule, at: finding.position, finding.message,
                advice: advice ?? finding.advice)
        }
    }

    private func leavesOpen(_ finding: Diagnostic) -> Bool {
        finding.severity > .note
            && (Self.open.contains(finding.rule) || opening.contains(finding.rule)
                || isBare && finding.rule == .siteHostNotDeclared)
    }

    /// The rules whose findings leave the verdict open; a note does not.
    private static let open: Set<RuleName> = [
        .appFileForm, .appUnknown, .appNotSigned, .domainsVariable, .manifestPlaceholder,
        .hostNotCompared, .siteHalfMissing, .appIDPrefixDiffers, .entitlementsUnused, .uploadKey,
        .keyNotPublished, .keyNotReadable, .pathsNotCompared, .entitlementsMissing,
        .manifestDisabled, .manifestNotExported, .aliasWithoutTarget, .sourceNotRead,
    ]
}

/// The app of the site that a file of source is of, as the caller says.
package struct ClaimedApp: Sendable {
    package let ios: String?
    /// The App Clip of the app.
    package let clip: String?
    package let android: String?

    package init(ios: String? = nil, clip: String? = nil, android: String? = nil) {
        (self.ios, self.clip, self.android) = (ios, clip, android)
    }

    /// The advice for a file of source that does not say its app.
    /// - Parameters:
    ///   - isNamed: whether an app for the system is named.
    ///   - system: its name for people.
    func advice(_ file: String, isNamed: Bool, system: String) -> String {
        guard !isNamed else {
            return "give \(file): --app names one app, which this one need not be"
        }
        return ios == nil && android == nil
            ? "give \(file), or say the app with --app NAME"
            : "give \(file), or an app for \(system) with --app: it names none"
    }
}
