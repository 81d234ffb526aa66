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
            let faults = own.map { opening.fault(of: $0) }
            // Where the prefix is not known, one of several entries can be the app's.
            guard let first = own.first, let fault = faults.first, let fault,
                faults.allSatisfy({ $0 != nil })
            else { continue }
            let place = site.hosts == nil ? "the site's file" : quoted(host)
            add(
                .error, .siteOpensNothing, nil,
                "\(place) lists \(quoted(first)) for applinks, but \(fault), so no link opens the app",
                advice: "put a rule without exclude first, such as {\"/\": \"/*\"}")
        }
    }
}
