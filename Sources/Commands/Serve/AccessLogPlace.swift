import Answering
import ArgumentParser
import Diagnostics
import Files
import Services
import SiteConfiguration

extension Environment {
    /// The fault for which the access log cannot be written where the configuration says, found before
    /// anything depends on it.
    /// - Parameters:
    ///   - opens: false asks for the permissions only, and makes no file.
    ///   - state: the directory of automatic certificates, where the environment does not have it yet.
    func findLogFault(
        opens: Bool = true, state: String? = nil
    ) -> (diagnostic: Diagnostic, status: ExitCode)? {
        logConflict(state).map { ($0, .configurationInvalid) }
            ?? accessLog.findFault(opens: opens)
    }

    /// The access log is a file that waymark reads, or keeps itself, also by another name: lines would be
    /// appended to it.
    private func logConflict(_ state: String?) -> Diagnostic? {
        guard accessLog.form != .off, let log = accessLog.file else { return nil }
        let place = FilePlace(log.path)
        func fault(_ what: String) -> Diagnostic {
            Diagnostic(
                .error, .accessLog, at: log.position,
                "the access log \(quotedPath(log.path)) \(what), and its lines would be appended to it",
                advice: "set `log.to` to a file of its own, such as access.log")
        }
        let others = confidentialFiles.filter { $0.kind != .accessLog }
        if let file = others.first(where: { FilePlace($0.reference.path) == place }) {
            return fault("is \(file.kind.rawValue) \(quotedPath(file.reference.path))")
        }
        if let file = inputFiles.first(where: { FilePlace($0.path) == place }) {
            return fault("is \(quotedPath(file.path)), which is served or needed to serve")
        }
        var store = self
        store.accessLog = AccessLogSettings()
        if let path = store.writtenFiles.sorted().first(where: { FilePlace($0) == place }) {
            return fault("is \(quotedPath(path)), a file of the store of links")
        }
        let themes = others.filter { $0.kind == .theme }.map(\.reference.path)
        if let path = themes.first(where: place.isBelow) {
            return fault("is in the theme \(quotedPath(path))")
        }
        // Many sites have one webroot.
        let challenges = Set(
            sites.compactMap { site in
                site.acmeWebroot.map { ([$0.path] + challengeDirectory).joined(separator: "/") }
            })
        if let path = challenges.sorted().first(where: place.isBelow) {
            return fault("is in \(quotedPath(path)), which is served")
        }
        let states =
            others.filter { $0.kind == .certificates }.map(\.reference.path)
            + [state].compactMap(\.self)
        if let path = states.first(where: place.isBelow) {
            return fault("is in the directory of automatic certificates \(quotedPath(path))")
        }
        return nil
    }
}

/// The place of a file, by which its other names are known: hard and symbolic links, and paths such as
/// `a/../b`. A file that does not exist yet is known by its directory and its name there.
private struct FilePlace: Equatable {
    private let path: String
    private let identity: FileIdentity?
    private let directory: FileIdentity?
    private let name: [UInt8]

    init(_ path: String) {
        identity = FileIdentity(of: path)
        // A file that is made through a link is made where the link leads.
        let path = identity == nil ? lastTarget(of: path) : path
        self.path = path
        name = Array(path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
        directory = identity == nil ? FileIdentity(of: parentDirectory(of: path)) : nil
    }

    static func == (one: Self, other: Self) -> Bool {
        if one.identity != nil || other.identity != nil { return one.identity == other.identity }
        return one.directory != nil && one.directory == other.directory && one.name == other.name
    }

    /// Whether the file is below a directory, or is one of the files there by another name.
    func isBelow(_ directory: String) -> Bool {
        guard let wanted = FileIdentity(of: directory) else { return false }
        if let identity,
            findTree(under: directory).files.contains(where: { $0.stamp.identity == identity })
        {
            return true
        }
        // By the system's way up, because `a/../b` is not below `a`.
        var (above, last) = (parentDirectory(of: path), FileIdentity?.none)
        while let next = FileIdentity(of: above), next != last {
            if next == wanted { return true }
            (above, last) = (above + "/..", next)
        }
        return false
    }
}
