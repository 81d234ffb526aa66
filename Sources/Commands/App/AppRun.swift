import AppFiles
import ArgumentParser
import Diagnostics
import Files
import Linting

/// The files of one run of `app`, and what they declare.
struct AppRun {
    private typealias File = (name: String, content: Result<[AppDeclaration], FormatFault>)

    /// With the splits of directories beside which there may be no base.
    private var found = [File]()
    /// The files of directories that are splits.
    private var splits = Set<[UInt8]>()
    /// The exit statuses for files that could not be read.
    private(set) var unread = [ExitCode]()
    private(set) var sources = SourceLines()
    /// The directories of projects that were read. Several projects can be in one.
    private var directories = Set<FileIdentity>()
    /// Those that are tried for key stores.
    private let passwords: [[UInt8]]

    init(passwords: [[UInt8]] = []) { self.passwords = passwords }

    /// The files to compare: a split of a directory only where nothing has its base, and of each app the first one.
    private var files: [File] {
        func declarations(of file: File) -> [AppDeclaration] { (try? file.content.get()) ?? [] }
        var known = Set(
            found.flatMap(declarations).filter { !$0.isBareSplit }.compactMap(\.packageOfBinary)
                .map { Array($0.utf8) })
        return found.map { file in
            guard splits.contains(Array(file.name.utf8)) else { return file }
            let own = declarations(of: file).filter { declaration in
                !declaration.isBareSplit
                    || known.insert(Array((declaration.packageOfBinary ?? "").utf8)).inserted
            }
            return (file.name, .success(own))
        }
    }

    /// The agreements with sites.
    func agreements(_ comparison: inout AppComparison) -> [AppAgreement] {
        let uploads = UploadKeys(declarations)
        let read = comparison.claiming(readFiles)
        var next = read.makeIterator()
        var agreements = files.flatMap { name, content in
            switch content {
            case .success:
                comparison.compare(
                    (next.next()?.declarations ?? []).map(uploads.marked), file: name)
            case .failure(let fault): [AppComparison.agreement(of: fault, file: name)]
            }
        }
        comparison.addPlatforms(to: &agreements, read)
        return agreements
    }

    /// The files that could be read, with their declarations.
    var readFiles: [(file: String, declarations: [AppDeclaration])] {
        files.compactMap { name, content in (try? content.get()).map { (name, $0) } }
    }

    /// The declarations of all files.
    var declarations: [AppDeclaration] { readFiles.flatMap(\.declarations) }

    /// The findings about files that are not what their format requires.
    var faults: [Diagnostic] {
        files.flatMap { name, content -> [Diagnostic] in
            let faults: [FormatFault] =
                switch content {
                case .success(let declarations): declarations.compactMap(\.fault)
                case .failure(let fault): [fault]
                }
            return faults.map { AppComparison.finding(of: $0, file: name) }
        }
    }

    /// The hosts that the files declare, in their order, each once.
    var hosts: [String] {
        var seen = Set<String>()
        return declarations.flatMap(\.hosts).filter { seen.insert($0).inserted }
    }

    /// The same without the domains of wildcards; and those that have no host below them here.
    var namedHosts: (hosts: [String], wildcards: [String]) {
        var seen = Set<String>()
        let hosts = declarations.flatMap(\.namedHosts).filter { seen.insert($0).inserted }
        let dot = UInt8(ascii: ".")
        var known = Set(
            hosts.flatMap { host in
                host.utf8.indices.filter { host.utf8[$0] == dot }.map {
                    String(Substring(host.utf8[$0...].dropFirst()))
                }
            })
        let wildcards = declarations.flatMap(\.wildcardDomains).filter { known.insert($0).inserted }
        return (hosts, wildcards)
    }

    /// Reads a file, or the files of a directory.
    /// - Parameter isQuiet: whether the directories that are passed over are not named.
    mutating func read(_ path: String, isQuiet: Bool = false) {
        guard isDirectory(path) else {
            // A project is read with the files beside it.
            let bundle = parent(of: path)
            if isNamed(bundle, "xcodeproj"),
                path.utf8.suffix(16).elementsEqual("/project.pbxproj".utf8),
                FileStamp(of: path) != nil
            {
                return read(bundle, isQuiet: isQuiet)
            }
            return read(file: path, isFound: false)
        }
        var directory = path
        while directory.utf8.count > 1, directory.utf8.last == UInt8(ascii: "/") {
            directory = String(decoding: directory.utf8.dropLast(), as: UTF8.self)
        }
        if ["xcodeproj", "xcworkspace"].contains(where: { isNamed(directory, $0) }) {
            return read(parent(of: directory), isQuiet: isQuiet)
        }
        if let identity = FileIdentity(of: directory) {
            guard directories.insert(identity).inserted else { return }
        }
        let tree = findProject(under: directory, depthMax: AppFileLimits.directoriesMax)
        if case .unreadable(_, let error)? = tree.faults.first {
            return unread.append(report(error, of: path))
        }
        if !isQuiet {
            printPassedOver(tree, in: directory)
            printUnread(tree, in: directory)
        }
        let names = tree.files.map(\.relativePath)
        if ["app", "xcarchive", "appex"].contains(where: { isNamed(directory, $0) }) {
            return read(bundles: names, of: directory)
        }
        var checkout = Checkout(
            BundleFiles(names: names) { name throws(FormatFault) in
                try Self.part("\(directory)/\(name)", "cannot be read")
            }, unread: tree.unreadSources, settingsAbove: settingsScript(above: directory))
        guard checkout.apps.count <= filesMax else {
            return take(path, isFound: false) { () throws(FormatFault) in
                throw FormatFault(
                    "is a directory with \(checkout.apps.count) files of apps, may have \(filesMax)",
                    advice: "give the directory of one app")
            }
        }
        guard !checkout.apps.isEmpty else {
            printMessage(
                Diagnostic(
                    .error, .fileMissing, at: SourcePosition(file: path, line: 1, column: 1),
                    "the directory has no file of an app",
                    advice: "give an .ipa, .app, .entitlements, .apk, .aab or AndroidManifest.xml"))
            return unread.append(.inputMissing)
        }
        if !isQuiet {
            printOtherManifests(checkout.otherManifests(), in: directory)
            printOtherConfigurations(checkout.otherConfigurations)
        }
        for name in checkout.apps {
            read(file: "\(directory)/\(name)", isFound: true) { _ throws(FormatFault) in
                try checkout.read(name)
            }
        }
    }

    /// - Parameter isFound: whether nobody named it. A file that declares nothing of links is then
    ///   left out.
    private mutating func read(
        file path: String, isFound: Bool,
        _ read: ((ByteSource) throws(FormatFault) -> [AppDeclaration])? = nil
    ) {
        do throws(FileError) {
            let source = try Self.source(path)
            let passwords = passwords
            take(path, isFound: isFound) { () throws(FormatFault) in
                if let read { return try read(source) }
                return try AppFile.read(source, passwords: passwords)
            }
        } catch {
            unread.append(report(error, of: path))
        }
    }

    /// The bundles of a directory, whose name is part of their paths.
    private mutating func read(bundles names: [String], of directory: String) {
        let name = String(
            decoding: Array(
                directory.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()),
            as: UTF8.self)
        let parent = String(decoding: directory.utf8.dropLast(name.utf8.count), as: UTF8.self)
        let files = BundleFiles(names: names.map { "\(name)/\($0)" }) {
            path throws(FormatFault) in
            try Self.part(parent + path)
        }
        take(directory, isFound: false) { () throws(FormatFault) in
            try AppFile.read(bundles: files)
        }
    }

    private mutating func take(
        _ file: String, isFound: Bool, _ read: () throws(FormatFault) -> [AppDeclaration]
    ) {
        do throws(FormatFault) {
            var declarations = try read()
            if isFound {
                declarations.removeAll { !$0.isOfLinks && !$0.isBareSplit }
                if declarations.contains(where: \.isBareSplit) { splits.insert(Array(file.utf8)) }
            }
            if declarations.contains(where: \.isBinary) { sources.leaveOut(file) }
            found.append((file, .success(declarations)))
        } catch {
            if error.place == nil { sources.leaveOut(file) }
            found.append((file, .failure(error)))
        }
    }

    /// A file of a directory.
    /// - Parameter fact: what is said if it cannot be read.
    private static func part(
        _ path: String, _ fact: String = "has a file that cannot be read"
    ) throws(FormatFault) -> ByteSource {
        do throws(FileError) {
            return try source(path)
        } catch {
            throw FormatFault("\(fact): \(error)")
        }
    }

    private static func source(_ path: String) throws(FileError) -> ByteSource {
        let file = try OpenFile(path: path)
        return ByteSource(count: file.stamp.bytes) { range throws(FormatFault) in
            var bytes = [UInt8](repeating: 0, count: range.count)
            do throws(FileError) {
                try file.read(into: &bytes, 0..<range.count, from: range.lowerBound)
            } catch {
                throw FormatFault("cannot be read: \(error)", advice: "try again")
            }
            return bytes
        }
    }
}

private func isNamed(_ path: String, _ ending: String) -> Bool {
    path.utf8.suffix(ending.utf8.count + 1).elementsEqual(".\(ending)".utf8)
}

/// The directory that a file or directory is in.
private func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let parent = String(path[..<slash])
    return parent.isEmpty ? "/" : parent
}

/// The settings script of Gradle in the next directory above one that has some; nil if there is none.
private func settingsScript(above directory: String) -> String? {
    var place = directory
    for _ in 0..<AppFileLimits.directoriesMax {
        let above = place + "/.."
        guard let identity = FileIdentity(of: above), identity != FileIdentity(of: place) else {
            return nil
        }
        place = above
        let script = gradleSettingsScripts.map { "\(above)/\($0)" }.first {
            FileStamp(of: $0) != nil
        }
        if let script { return script }
    }
    return nil
}

private func isDirectory(_ path: String) -> Bool { otherKindOfFile(at: path) == "a directory" }

private let filesMax = 1_000
