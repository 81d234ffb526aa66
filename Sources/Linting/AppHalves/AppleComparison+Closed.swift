import AppFiles
import Diagnostics

extension AppleComparison {
    /// Says which sites list the app with rules that open no link, although the app asks them for links.
    mutating func findClosed() {
        for site in sites {
            guard let opening = site.opening, case .read(let services) = site.apple,
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
            // Where the prefix is not known, one of several entries can be the app's.
            let answers = own.lazy.map { opening.answer(for: $0) }
            guard !answers.contains(.opens) else { continue }
            let place = site.hosts == nil ? "the site's file" : quoted(host)
            guard case .closed(let fault)? = answers.first, !answers.contains(.notSearched) else {
                add(
                    .warning, .pathsNotCompared, nil,
                    "whether \(place) has a rule that opens \(quoted(first)) is not known: more than "
                        + "\(OpeningEntries.searchesMax) lists of rules begin with one that excludes",
                    advice: "compare the app alone, or look at its rules with waymark lint")
                continue
            }
            add(
                .error, .siteOpensNothing, nil,
                "\(place) lists \(quoted(first)) for applinks, but \(fault), so no link opens the app",
                advice: "put a rule without exclude first, such as {\"/\": \"/*\"}")
        }
    }
}
