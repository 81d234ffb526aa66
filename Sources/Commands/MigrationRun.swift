import AppFiles
import ArgumentParser
import Associations
import Diagnostics
import Files
import Migration
import Reviewing
import SiteConfiguration
import URISyntax

/// `waymark init --from`: reads existing files, and writes a configuration that means the same.
struct MigrationRun {
    private var migration = Migration()
    /// The files that were read.
    private var files = [String]()
    /// Whether something has no equal, or differs.
    private(set) var isIncomplete = false
    /// The files and directories that the command line names.
    private var named = [FileIdentity]()
    /// The hosts that apps declare.
    private(set) var hosts = [String]()

    /// Directories are searched only to this depth, because a checkout has its own dependencies.
    private static let depthMax = 6
    /// The most bytes of a redirect list.
    private static let bytesMax = 1 << 24

    /// Reads the files, and those in directories that have a known form.
    /// - Parameter given: the hosts of the command line.
    /// - Throws: the exit status, after printing the reason.
    init(_ paths: [String], hosts given: [String]) throws {
        var (apps, projects) = (AppRun(), [String]())
        named = paths.compactMap { FileStamp(of: $0)?.identity }
        for path in paths {
            if Self.isOfApp(path) {
                apps.read(path)
                files.append(path)
                continue
            }
            let tree = findProject(under: path, depthMax: Self.depthMax)
            if tree.directories.isEmpty {
                try readFile(named: path)
            } else {
                readDirectory(path, tree)
                projects += tree.holdsApp ? [path] : []
            }
        }
        // Association files say more than the projects beside them.
        if migration.appleFiles.isEmpty, migration.androidFiles.isEmpty {
            for project in projects {
                apps.read(project, isQuiet: true)
                if !apps.declarations.isEmpty { files.append(project) }
            }
        }
        if let status = apps.unread.first { throw status }
        add(apps, hosts: given)
        guard !files.isEmpty else {
            printMessage(
                "waymark: error: \(paths.joined(separator: ", ")): there is no association file, "
                    + "no list of redirects and no app")
            throw ExitCode.inputMissing
        }
        guard migration.faults.isEmpty else {
            printMessages(migration.faults.flatMap(\.lines))
            throw ExitCode.configurationInvalid
        }
        printUnreadDocuments()
    }

    /// Whether the name of a file or directory is that of an app, its manifest, or its key.
    private static func isOfApp(_ path: String) -> Bool {
        [
            ".ipa", ".app", ".xcarchive", ".entitlements", ".apk", ".aab", "AndroidManifest.xml",
            ".jks",
            ".keystore", ".p12", ".pem", ".cer", "/app.json", ".xcodeproj", ".xcworkspace",
        ].contains { "/\(withoutSlash(path))".utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// The path of a directory without slashes at its end.
    private static func withoutSlash(_ path: String) -> Substring {
        path.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }).map { path[...$0] } ?? ""
    }

    /// Adds the site's half that apps ask for, unless a file has it.
    private mutating func add(_ apps: AppRun, hosts given: [String]) {
        for fault in apps.faults { printMessage(fault) }
        let wanted = WantedHalf(apps.declarations)
        let named = apps.namedHosts
        hosts = named.hosts
        let gaps =
            wanted.gaps
            + (given.isEmpty ? named.wildcards : []).map {
                "which hosts below \($0) the site has: give them with --host"
            }
        for gap in gaps { printMessage("waymark: not known: \(gap)") }
        isIncomplete = isIncomplete || !gaps.isEmpty || !apps.faults.isEmpty
        let hasFiles = !migration.appleFiles.isEmpty || !migration.androidFiles.isEmpty
        let toComplete = hasFiles ? nil : wanted.assetlinksToComplete
        if toComplete != nil { printMessage("waymark: to complete: \(WantedHalf.completion)") }
        for (bytes, kind, name, isThere) in [
            (
                wanted.aasa, Migration.Kind.apple, "apple-app-site-association",
                !migration.appleFiles.isEmpty
            ),
            (
                wanted.assetlinks ?? toComplete, .android, "assetlinks.json",
                !migration.androidFiles.isEmpty
            ),
        ] {
            guard let bytes else { continue }
            guard !isThere else {
                printMessage("waymark: not needed: what the app says, beside \(name)")
                continue
            }
            let file = "\(name) of the app"
            if kind == .android {
                migration.add(android: bytes, file: file, paths: wanted.paths)
            } else {
                migration.add(bytes, as: kind, file: file)
            }
        }
    }

    private mutating func readFile(named path: String) throws {
        let bytes = try readNamed(path, bytesMax: Self.bytesMax)
        guard let kind = Migration.Kind(of: bytes, path: path) else {
            printMessage(
                "\(shownName(path)): error: it is neither an association file nor a list of "
                    + "redirects")
            throw ExitCode.configurationInvalid
        }
        add(bytes, kind, path, below: "/")
        migration.found.addNamed(path)
    }

    /// Says which rules of directories, where documents are, were not read.
    private mutating func printUnreadDocuments() {
        let read = Set(files.compactMap { FileStamp(of: $0)?.identity })
        var known = Set<FileIdentity>()
        for (path, place) in migration.documents where path.utf8.first == UInt8(ascii: "/") {
            let file = path + "/.htaccess"
            guard let identity = FileStamp(of: file)?.identity, !read.contains(identity),
                known.insert(identity).inserted
            else { continue }
            printMessage(
                "waymark: not read: \(shownName(file)), which counts for \(place): give \(shownName(path)) "
                    + "to --from, too")
            isIncomplete = true
        }
    }

    /// Deeper directories come first, because the rules in them do on Apache.
    private mutating func readDirectory(_ directory: String, _ tree: FileTree) {
        printPassedOver(tree, in: directory)
        // In Debian's `sites-enabled`, all are links that lead out of it.
        let linked = Set(tree.faults.compactMap { Self.linkedFile($0, in: directory) })
        let all = tree.files.map(\.relativePath) + linked.sorted()
        let enabled = Set(all.compactMap(Self.enabledDirectory))
        var names = [String]()
        let readable = all.filter { name in
            Migration.Kind.canBe("\(directory)/\(name)") && !Migration.Kind.isPutAside(name)
                && (enabled.isEmpty || !Self.isAvailable(name))
        }
        let (isReadable, copies) = (
            Set(readable), CopiedDirectories(of: readable, among: all, in: directory)
        )
        var unread = Set<String>()
        for name in all {
            let path = "\(directory)/\(name)"
            var canBe = isReadable.contains(name)
            var isRead = canBe
            if canBe, let copy = copies.directory(of: name) {
                canBe = false
                isRead = copies.isLinked(copy) || isNamed("\(directory)/\(copy)")
                if !isRead, unread.insert(copy).inserted {
                    printUnread(
                        "\(directory)/\(copy)",
                        "its name is that of a copy of a directory that servers read")
                }
            } else if Migration.Kind.isLeftover(path), !Migration.Kind.isPutAside(name) {
                printLeftover(path)
            }
            if canBe { names.append(name) }
            migration.found.addFile(path, isRead: isRead)
        }
        for fault in tree.faults where !linked.contains(fault.path) {
            let path = "\(directory)/\(fault.path)"
            let isWanted =
                path.contains("-enabled/") || path.contains("/.well-known/")
                || Migration.Kind.isOfServers(path)
            // Of a tree with too many entries, nobody knows what was not found.
            guard fault.path.isEmpty || isWanted else {
                migration.found.addFile(path, isRead: false)
                continue
            }
            guard fault.path.isEmpty || !isNamed(path) else { continue }
            printMessage("waymark: not read: \(shownName(directory)): \(fault.fact)")
            if case .escapes = fault, FileStamp(of: "\(path)/.") != nil {
                printMessage(
                    "    if it counts, name it behind --from, too; if it does not, remove it")
            } else if let advice = fault.advice {
                printMessage("    \(advice)")
            }
            isIncomplete = true
        }
        // Other names with a full stop in front are not read.
        for found in tree.directories {
            migration.found.addDirectory(String(decoding: found.path, as: UTF8.self))
            let below = found.path.dropFirst(directory.utf8.count).drop { $0 == UInt8(ascii: "/") }
            let prefix = String(decoding: below, as: UTF8.self)
            let name = (prefix.isEmpty ? "" : prefix + "/") + ".htaccess"
            if FileStamp(of: "\(directory)/\(name)") != nil { names.append(name) }
        }
        func depth(_ name: String) -> Int { name.utf8.count { $0 == UInt8(ascii: "/") } }
        names.sort { left, right in
            let isDeeper = (-depth(left), left) < (-depth(right), right)
            return Self.isHTAccess(left) && Self.isHTAccess(right) ? isDeeper : left < right
        }
        var found = [(name: String, kind: Migration.Kind, bytes: [UInt8], namesHosts: Bool?)]()
        var tables = [String]()
        for name in names.filter(Self.isHTAccess) + names.filter({ !Self.isHTAccess($0) }) {
            let path = "\(directory)/\(name)"
            do {
                let bytes = try Files.readFile(path, bytesMax: Self.bytesMax).bytes
                guard let kind = Migration.Kind(of: bytes, path: path) else { continue }
                guard kind != .csv || Migration.hasDestinations(bytes) else {
                    tables.append(path)
                    continue
                }
                let namesHosts = Migration.namesHosts(bytes, kind, file: path)
                found.append((name, kind, bytes, namesHosts))
            } catch {
                printMessage("waymark: not read: \(shownName(path)): \(error)")
                isIncomplete = true
            }
        }
        printOtherTables(tables)
        let withHosts = Set(found.filter { $0.namesHosts == true }.map(\.kind))
        for file in found {
            let place = Self.place(of: file.name)
            add(
                file.bytes, file.kind, "\(directory)/\(file.name)", below: place.base,
                host: place.host,
                isPart: file.namesHosts == false && withHosts.contains(file.kind))
        }
    }

    /// Says that a copy was not read which nginx reads, if its include takes all files there.
    private mutating func printLeftover(_ path: String) {
        guard let bytes = try? Files.readFile(path, bytesMax: Self.bytesMax).bytes,
            Migration.Kind(of: bytes, path: path) == .nginx
        else { return }
        printUnread(
            path, "its name is that of a copy, but nginx reads it if its include is sites-enabled/*"
        )
    }

    /// Whether the command line names it, too.
    private func isNamed(_ path: String) -> Bool {
        named.contains { $0 == FileStamp(of: path)?.identity }
    }

    /// Says what was not read because of its name, unless it is named behind `--from`.
    private mutating func printUnread(_ path: String, _ reason: String) {
        guard !isNamed(path) else { return }
        printMessage("waymark: not read: \(shownName(path)): \(reason)")
        printMessage("    if it counts, name it behind --from, too; if it does not, remove it")
        isIncomplete = true
    }

    /// The path of a file to which a link leads that is in the directory.
    private static func linkedFile(_ fault: FileTreeError, in directory: String) -> String? {
        guard case .escapes(let path, _) = fault else { return nil }
        let isDirectory = FileStamp(of: "\(directory)/\(path)/.") != nil
        return isDirectory || FileStamp(of: "\(directory)/\(path)") == nil ? nil : path
    }

    private static func isHTAccess(_ path: String) -> Bool {
        path == ".htaccess" || path.utf8.suffix(10).elementsEqual("/.htaccess".utf8)
    }

    /// The directory such as `sites-enabled` in which a file is, with its last word left out.
    private static func enabledDirectory(_ path: String) -> String? {
        directory(of: path, endingIn: "-enabled")
    }

    private static func directory(of path: String, endingIn end: String) -> String? {
        let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8[..<$0] }
        guard let directory, directory.suffix(end.utf8.count).elementsEqual(end.utf8) else {
            return nil
        }
        return String(decoding: directory.dropLast(end.utf8.count), as: UTF8.self)
    }

    /// Whether a file is in a directory such as `sites-available`, which the server does not read.
    private static func isAvailable(_ path: String) -> Bool {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).dropLast().last ?? []
        return directory(of: path, endingIn: "-available") != nil
            || ["sites-available", "conf-available"].contains { name.starts(with: $0.utf8) }
    }

    /// The path of the directory of a `.htaccess`, below the directory of all documents: the deepest
    /// one with a usual name or the name of a host, or the one that is searched. And this host.
    private static func place(of path: String) -> (base: String, host: String?) {
        let usual: Set = [
            "public", "public_html", "htdocs", "httpdocs", "html", "www", "wwwroot", "web",
            "webroot", "docroot", "static", "dist", "build",
        ]
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        // Hosts have their directories at the top.
        let hosts = parts.prefix(2).map(Migration.hostName)
        let host = hosts.compactMap(\.self).last
        let root = [parts.lastIndex(where: usual.contains), hosts.lastIndex { $0 != nil }]
            .compactMap(\.self).max()
        if let root { parts.removeSubrange(...root) }
        return ("/" + parts.map { "\($0)/" }.joined(), host)
    }

    private mutating func add(
        _ bytes: [UInt8], _ kind: Migration.Kind, _ path: String, below base: String,
        host: String? = nil, isPart: Bool = false
    ) {
        let isDirectory = Self.isHTAccess(path)
        printMessage(
            "waymark: read \(shownName(path)) (\(kind.words))"
                + (isDirectory ? ", for paths below \(host ?? "")\(base)" : ""))
        migration.add(
            bytes, as: kind, file: shownName(path), below: base, host: host, isPart: isPart)
        files.append(path)
    }

    /// The configuration. What is not translated, and what differs from the files, is printed.
    /// - Parameter hosts: those of the command line.
    /// - Throws: the exit status, after printing the reason.
    mutating func written(
        hosts: [String], certificates: (chain: String, key: String)
    ) throws -> Migration.Written {
        // Without a page of its own, `/` gets the first page that `init` writes.
        let isRootFree = !migration.answersRoot
        let hasPage = { (path: String) in
            let file = path.utf8.last == UInt8(ascii: "/") ? path + "index.html" : path
            if file == "/index.html", path == file, isRootFree { return true }
            return FileStamp(of: "Public\(file)") != nil && FileStamp(of: "Public\(file)/.") == nil
        }
        do throws(Migration.Unwritable) {
            let written = try migration.written(
                hosts: hosts, certificates: certificates, hasPage: hasPage)
            printMessages(written.lost.map { "waymark: not translated: \($0)" })
            printMessages(written.rough.map { "waymark: roughly the same: \($0)" })
            printMessages(written.notNeeded.map { "waymark: not needed: \($0)" })
            let (failures, hidden) = migration.wrongRedirects(
                written.configuration, hasPage: hasPage)
            printMessages(hidden.map { "waymark: not needed: \($0)" })
            let differing = written.differing + failures
            printMessages(differing.map { "waymark: difference: \($0)" })
            if written.leadsHome {
                printMessage(
                    "waymark: no host is known, so redirects within the site lead to "
                        + "https://\(localHost): run this again with --host")
            }
            let differs = printDifferences(written.configuration)
            isIncomplete = isIncomplete || !written.lost.isEmpty || !differing.isEmpty || differs
            return written
        } catch {
            for finding in error.findings { printMessage(finding) }
            throw ExitCode.ourFault
        }
    }

    /// Whether the page that `init` writes would hide a redirect.
    var answersRoot: Bool { migration.answersRoot }

    /// Compares each association file with what the configuration publishes.
    private func printDifferences(_ configuration: Configuration) -> Bool {
        let versions = LinkVersion.all(configuration.environments, in: ".")
        // Each site of an environment publishes the same.
        let sites = configuration.environments.first.map { $0.sites.count } ?? 1
        var differs = false
        for (reading, number) in migration.appleFiles {
            let old = LinkVersion(apple: reading, android: nil)
            differs = report(old, versions[number * sites], reading.file) || differs
        }
        for (reading, number) in migration.androidFiles {
            let old = LinkVersion(apple: nil, android: AssetLinksFiles(reading))
            differs = report(old, versions[number * sites], reading.file) || differs
        }
        return differs
    }

    private func report(_ old: LinkVersion, _ new: LinkVersion, _ file: String) -> Bool {
        let difference = VersionDifference((old, new), publicFiles: \.publicPaths)
        guard difference.isChanged else { return false }
        printMessage("waymark: differences from \(file):")
        printMessages(difference.lines.map { "  \($0)" })
        return true
    }
}
