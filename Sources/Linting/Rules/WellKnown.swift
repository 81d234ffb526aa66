import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

extension Site {
    /// The findings about what the site has below `/.well-known/` besides association files.
    var wellKnownFindings: [Diagnostic] {
        [relatedOriginsFinding].compactMap(\.self) + catchAllFindings + passkeyFindings
    }

    /// Browsers count labels in the order of the list, and skip what has a further one.
    private var relatedOriginsFinding: Diagnostic? {
        Self.finding(ofOrigins: wellKnown.relatedOrigins)
    }

    /// The finding about origins that browsers need not take; nil if there is none.
    static func finding(ofOrigins origins: [RelatedOrigin]) -> Diagnostic? {
        var labels = Set<String>()
        for origin in origins {
            guard let label = origin.host.registrableLabel, !labels.contains(label) else {
                continue
            }
            guard labels.count < labelsMax else {
                return Diagnostic(
                    .warning, .relatedOriginsCount, at: origin.position,
                    "\(quoted(label)) of \(origin.text) is the label \(labelsMax + 1), and "
                        + "browsers need only take \(labelsMax)",
                    advice: "move what you need most to the front; a label under several suffixes "
                        + "counts once")
            }
            labels.insert(label)
        }
        return nil
    }

    private static let labelsMax = 5

    private var catchAllFindings: [Diagnostic] {
        webLinks.flatMap { link in
            zip(link.components, link.positions).compactMap { component, position in
                guard !component.exclude,
                    component.path?.utf8.elementsEqual("/.well-known/*".utf8) == true
                else { return nil }
                return Diagnostic(
                    .warning, .wellKnownCatchAll, at: position.whole,
                    "link \(quoted(link.key)) answers for every well-known name, also for those that "
                        + "programs expect to be missing",
                    advice: "write a pattern for each name, such as /.well-known/caldav")
            }
        }
    }

    private var passkeyFindings: [Diagnostic] {
        guard !wellKnown.relatedOrigins.isEmpty || wellKnown.passkeyEndpoints != nil else {
            return []
        }
        return publications.map(\.app).flatMap { app in
            var missing = [(key: String, position: SourcePosition)]()
            if let ios = app.ios, !ios.services.contains(.webCredentials), let place = ios.position
            {
                missing.append(("services: [webcredentials]", place))
            }
            if let android = app.android, !android.sharesCredentials,
                let place = android.fingerprintPositions.first
            {
                missing.append(("credentials: true", place))
            }
            return missing.map { key, position in
                Diagnostic(
                    .note, .passkeysWithoutApp, at: position,
                    "\(quoted(app.key)) cannot use the passkeys of the site",
                    advice: "add `\(key)`, or nothing if the app has no sign-in")
            }
        }
    }
}

extension HostName {
    /// The label before the public suffix, as far as it is known without the list of suffixes: a country's
    /// `co`, `com` and the like count as a suffix, other suffixes of two labels do not.
    fileprivate var registrableLabel: String? {
        guard !isAddress else { return nil }
        let labels = description.utf8.split(separator: UInt8(ascii: ".")).map {
            String(Substring($0))
        }
        guard labels.count > 1 else { return labels.first }
        let second = labels[labels.count - 2]
        let isSuffix =
            labels.count > 2 && labels[labels.count - 1].utf8.count == 2
            && Self.secondLevels.contains(second)
        return isSuffix ? labels[labels.count - 3] : second
    }

    private static let secondLevels: Set = [
        "ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org",
    ]
}
