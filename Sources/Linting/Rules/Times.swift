import Diagnostics
import SiteConfiguration

// Links with a time, of which one may think that the app obeys it, too.

extension Configuration {
    /// Links that have ended, that have not begun, and whose time has no effect.
    /// - Parameter now: seconds since 1970.
    func linksOutOfTime(_ now: Int) -> [Diagnostic] {
        let opening = Set(
            environments.flatMap(\.sites).flatMap(\.publications).flatMap(\.links).map(\.key))
        return links.compactMap { link in
            guard let times = link.times, let position = times.position else { return nil }
            let opens = opening.contains(link.key)
            guard link.isForWeb else {
                return Diagnostic(
                    .warning, .timeWithoutWeb, at: position,
                    "`from` of link \(quoted(link.key)) has no effect: it is for browsers, for "
                        + "which the link has neither `web` nor `page`"
                        + (opens ? "; the app opens it at any time" : ""),
                    advice: "remove it, and let the app decide; or add `web`")
            }
            switch times.period.state(at: now) {
            case .current: return nil
            case .early:
                guard opens, let from = times.period.from else { return nil }
                return Diagnostic(
                    .note, .earlyLink, at: position,
                    "link \(quoted(link.key)) begins at \(from) for browsers, but an app that has "
                        + "it opens it already, because association files do not change with time",
                    advice: "let the app decide what it shows before, or publish the link then")
            case .ended:
                guard let until = times.period.until else { return nil }
                return Diagnostic(
                    .note, .endedLink, at: position,
                    "link \(quoted(link.key)) ended at \(until)"
                        + (opens
                            ? " for browsers; an app that has it still opens it, because "
                                + "association files do not change with time" : ""),
                    advice: opens
                        ? "remove it from `publish`, and later from `links`; or write a later "
                            + "`until`"
                        : "remove it, or write a later `until`")
            }
        }
    }
}
