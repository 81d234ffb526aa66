import AppFiles
import Diagnostics

// An app agrees with a site only if something of both was compared.

extension AndroidComparison {
    /// Whether the caller gave a site's half, and not that for Android, so that nobody knows whether it lists the app.
    var lacksHalf: Bool {
        sites.contains(where: \.lacksAndroid) && sites.contains { !$0.lacksApple }
    }

    /// Says why no host of the app was compared with a site that lists it. Nothing contradicts such a site, because
    /// nothing was looked at.
    mutating func findNothingCompared() {
        // Hosts that another manifest of the module verifies are compared with its own.
        guard !isCompared, let package, !merged.contains(where: \.mayBeVerified) else { return }
        let place = app.filters.first { $0.isOfWeb || $0.isVerified || $0.lacksScheme }?.place
        if sites.contains(where: { $0.lists(package: package) }) {
            // The filters of libraries are not in the source, and those that are here may be for other links.
            let isOfOthers = app.kind == .source && !webFilters.contains(where: \.mayBeVerified)
            let isOpen = !isWhole || hasNavigation || app.device != nil || isOfOthers
            if isOpen { opening.insert(.noAutoVerify) }
            return add(
                isOpen ? .warning : .error, .noAutoVerify, place,
                "the site lists \(quoted(package)), but no filter verifies a host, so links open the browser or a "
                    + "dialog",
                advice:
                    "write \(notation.attribute("autoVerify", "true")) on a filter with the site's hosts"
                    + (isOpen ? "; if another manifest of the app has it, give the .apk" : ""))
        }
        guard !sites.isEmpty, !sites.contains(where: \.lacksAndroid) else {
            return add(
                .warning, .siteHalfMissing, place, "the site's half for Android is not given",
                advice: "give it with --assetlinks FILE")
        }
        opening.insert(.packageNotListed)
        add(
            .warning, .packageNotListed, place, before: "the site does not list ", package,
            after: ", and no filter verifies a host, so nothing is compared",
            advice:
                "publish the application ID, or give the configuration and the environment of this app"
        )
    }
}

extension SiteHalf {
    /// Whether its file for Android is not given.
    var lacksAndroid: Bool { if case .notGiven = android { true } else { false } }

    /// Whether its file for iOS is not given.
    var lacksApple: Bool { if case .notGiven = apple { true } else { false } }
}
