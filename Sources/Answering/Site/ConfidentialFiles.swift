package import Diagnostics
package import Files
package import SiteConfiguration

/// The files that must not be public, by what they are, so that another name for one, a hard or
/// symbolic link, is found too: those that the configuration names for the operator alone, and those
/// that this process writes to.
package struct ConfidentialFiles: Sendable {
    package let files: [ConfidentialFile]
    package let outputs: [FileIdentity]
    /// The files and their companions by what they are, and files that do not exist yet by their
    /// directory.
    private var byIdentity = [FileIdentity: [Place]]()
    private var byDirectory = [FileIdentity: [Place]]()

    /// The place of a confidential file in the list of those that are named.
    private struct Place {
        /// The index of the file that is named.
        let index: Int
        /// Its companion; nil if it is the file itself.
        let companion: String?
    }

    /// Looks at every file.
    /// - Parameter outputs: files that this process writes to.
    package init(_ files: [ConfidentialFile], outputs: [FileIdentity] = []) {
        (self.files, self.outputs) = (files, outputs)
        for (index, file) in files.enumerated() {
            let path = file.reference.path
            if let identity = FileIdentity(of: path) {
                byIdentity[identity, default: []].append(Place(index: index, companion: nil))
            } else if let parent = parentOfVisible(lastTarget(of: path)) {
                // It may be made later, where a link to nothing leads: a log is when it is opened.
                byDirectory[parent, default: []].append(Place(index: index, companion: nil))
            }
            for (companion, identity) in companions(of: file) {
                byIdentity[identity, default: []].append(Place(index: index, companion: companion))
            }
        }
    }

    private func companions(of file: ConfidentialFile) -> [(path: String, FileIdentity)] {
        let path = file.reference.path
        switch file.kind.companions {
        case .none: return []
        case .beside:
            return pathsBeside(path).compactMap { path in
                // A directory of such a name may be the public one.
                let isDirectory = (try? namesOfFiles(in: path)) != nil
                return isDirectory ? nil : FileIdentity(of: path).map { (path, $0) }
            }
        case .within, .below:
            let isDeep = file.kind.companions == .below
            return findTree(under: path).files
                .filter { isDeep || !$0.relativePath.utf8.contains(UInt8(ascii: "/")) }
                .map { ("\(path)/\($0.relativePath)", $0.stamp.identity) }
        }
    }

    /// The paths in the same directory whose names go on where that of `path` ends.
    private func pathsBeside(_ path: String) -> [String] {
        let count = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        let directory = String(decoding: path.utf8.dropLast(count), as: UTF8.self)
        let name = Array(path.utf8.suffix(count))
        let names =
            try? namesOfFiles(in: directory.isEmpty ? "." : directory, areHiddenIncluded: true)
        return (names ?? []).filter { other in
            guard other.utf8.starts(with: name) else { return false }
            let next = other.utf8.dropFirst(count).first
            return next == UInt8(ascii: ".") || next == UInt8(ascii: "-")
        }.map { directory + $0 }
    }

    /// The same files as they are now.
    var renewed: ConfidentialFiles { ConfidentialFiles(files, outputs: outputs) }

    /// Reports which of them are in a site's public directory.
    package func exposures(in tree: FileTree, of site: Site) -> [Diagnostic] {
        // By the file that is named or its companion: its name there, if it is a file.
        var found = [Finding]()
        var seen = [String: Int]()
        func add(_ places: [Place]?, _ rank: Int, _ name: String?) {
            for place in places ?? [] {
                let finding = Finding(place: place, rank: rank, name: name)
                let key = "\(place.index) \(place.companion ?? "")"
                if let known = seen[key] {
                    if rank < found[known].rank { found[known] = finding }
                } else {
                    seen[key] = found.count
                    found.append(finding)
                }
            }
        }
        for file in tree.files { add(byIdentity[file.stamp.identity], 0, file.relativePath) }
        for directory in tree.directories {
            add(byIdentity[directory.identity], 1, nil)
            add(byDirectory[directory.identity], 1, nil)
        }
        // One message is enough where the file itself is there, and mostly all others with it; and
        // where a certificate is, which is in a directory of certificates, too.
        let named = found.filter { $0.place.companion == nil }
        let (indices, names) = (Set(named.map(\.place.index)), Set(named.compactMap(\.name)))
        let others = found.filter { finding in
            finding.place.companion != nil && !indices.contains(finding.place.index)
                && !(finding.name.map(names.contains) ?? false)
        }
        let directory = site.publicDirectory
        return (named + others)
            .sorted { ($0.place.index, $0.name ?? "") < ($1.place.index, $1.name ?? "") }
            .map { exposure(of: $0, in: directory) } + outputFaults(in: tree, directory)
    }

    private struct Finding {
        let place: Place
        let rank: Int
        let name: String?
    }

    private func outputFaults(in tree: FileTree, _ directory: FileReference) -> [Diagnostic] {
        guard !outputs.isEmpty else { return [] }
        return outputs.compactMap { output in
            tree.files.first { $0.stamp.identity == output }
        }.map { file in
            Diagnostic(
                .error, .secretInPublic, at: directory.position,
                "standard output or standard error of this process is written to a file in the "
                    + "public directory \(quoted(directory.path)), \(quoted(file.relativePath)), "
                    + "and would be served",
                advice: "write it to another directory")
        }
    }

    private func exposure(of finding: Finding, in directory: FileReference) -> Diagnostic {
        let file = files[finding.place.index]
        let position = file.kind == .configuration ? "" : " (\(file.reference.position))"
        let named = "\(file.kind.rawValue) \(quoted(file.reference.path))\(position)"
        let what =
            switch (finding.place.companion, file.kind.companions) {
            case (nil, _): named
            case (let path?, .beside): "\(quoted(path)), a file beside \(named),"
            case (let path?, _): "\(quoted(path)), a file of \(named),"
            }
        return Diagnostic(
            .error, .secretInPublic, at: directory.position,
            "\(what) is in the public directory \(quoted(directory.path))"
                + (finding.name.map { ", as \(quoted($0))," } ?? "")
                + " and would be served",
            advice: advice(file.kind, finding))
    }

    private func advice(_ kind: ConfidentialFile.Kind, _ finding: Finding) -> String {
        switch (finding.place.companion, kind) {
        case (_?, _): "remove \(quoted(finding.name ?? "")) from the public directory"
        case (nil, .accessLog):
            "set `log.to` to a file in another directory, such as logs/access.log"
        case (nil, .theme):
            "set `public` to a directory that contains only public files, or move the theme out of it"
        case (nil, _):
            "set `public` to a directory that contains only public files, or move the file out of it"
        }
    }

    /// The directory of this path; nil if there is none, or if the name is hidden and so not served.
    private func parentOfVisible(_ path: String) -> FileIdentity? {
        let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        guard name > 0, path.utf8.suffix(name).first != UInt8(ascii: ".") else { return nil }
        let parent = String(decoding: path.utf8.dropLast(name), as: UTF8.self)
        return FileIdentity(of: parent.isEmpty ? "." : parent)
    }
}
