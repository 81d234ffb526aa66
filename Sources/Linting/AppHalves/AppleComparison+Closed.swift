import AppFiles
import Diagnostics

extension AppleComparison {
    /// Says which sites list the app with rules that open no link, although the app asks them for links.
    /// - Parameter siteEntries: the entries of each site's file.
    mutating func findClosed(_ siteEntries: inout [OpeningEntries?]) {
        for (number, site) in sites.enumerated() {
            guard case .read(let services) = site.apple,
                let host = domains.lazy.map(\.entry).first(where: { entry in
                    entry.service.isScalarwise("applinks") && site.answers(entry.host)
                })?.host
            else { continue }
            let listed = services["applinks"] ?? []
            let own = listed.filter { name in
                if let identifier { return name.isScalarwise(identifier) }
                return app.use?.bundleIdentifier.map { name.isIdentifier(ofBundle: $0) } == true
            }
            guard let first = own.first else { continue }
            let place = site.hosts == nil ? "the site's file" : quoted(host)
            // Where the prefix is not known, one of several entries can be the app's.
            switch siteEntries[number]?.answer(forOneOf: own) {
            case .opens, nil: break
            case .notSearched:
                add(
                    .warning, .pathsNotCompared, nil,
                    "whether \(place) has a rule that opens \(quoted(first)) is not known: more than "
                        + "\(OpeningEntries.searchesMax) lists of rules begin with one that excludes",
                    advice: "compare the app alone, or look at its rules with waymark lint")
            case .closed(let fault):
                add(
                    .error, .siteOpensNothing, nil,
                    "\(place) lists \(quoted(first)) for applinks, but \(fault), so no link opens the app",
                    advice: "put a rule without exclude first, such as {\"/\": \"/*\"}")
            }
        }
    }
}
