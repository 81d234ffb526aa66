package import Diagnostics
package import Files
package import SiteConfiguration

// What the operator alone should see, and has put where everybody can.

extension Site {
    /// Says which files that the configuration names, or that this process writes, are public: by
    /// what they are, so that another name for one, a hard or symbolic link, is found too.
    /// - Parameters:
    ///   - tree: the public directory.
    ///   - outputs: files that this process writes to.
    package func exposures(
        in tree: FileTree, outputs: [FileIdentity] = []
    ) -> [Diagnostic] {
        let files = Dictionary(
            tree.files.map { ($0.stamp.identity, $0.relativePath) }
        ) { first, _ in first }
        let directories = Set(tree.directories.map(\.identity))
        var faults = confidentialFiles.compactMap { file -> Diagnostic? in
            let path = file.reference.path
            guard let identity = FileIdentity(of: path) else {
                // It may be made later: a log is when it is opened.
                return isIn(directories, path) ? exposure(of: file, as: nil) : nil
            }
            if let name = files[identity] { return exposure(of: file, as: name) }
            if directories.contains(identity) { return exposure(of: file, as: nil) }
            guard file.kind == .theme else { return nil }
            let template = findTree(under: path).files.lazy.compactMap { file in
                file.relativePath.utf8.contains(UInt8(ascii: "/"))
                    ? nil : files[file.stamp.identity]
            }.first
            return template.map { exposure(of: file, as: $0) }
        }
        for name in outputs.compactMap({ files[$0] }) {
            faults.append(
                fault(
                    "standard output or standard error of this process is written to a file in the "
                        + "public directory \(quoted(publicDirectory.path)), \(quoted(name)), and "
                        + "would be served",
                    advice: "write it to another directory"))
        }
        return faults
    }

    /// Whether the directory of this path is one of those; a hidden name in it is not served.
    private func isIn(_ directories: Set<FileIdentity>, _ path: String) -> Bool {
        let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        guard name > 0, path.utf8.suffix(name).first != UInt8(ascii: ".") else { return false }
        let parent = String(decoding: path.utf8.dropLast(name), as: UTF8.self)
        return FileIdentity(of: parent.isEmpty ? "." : parent).map(directories.contains) ?? false
    }

    private func exposure(of file: ConfidentialFile, as name: String?) -> Diagnostic {
        let position = file.kind == .configuration ? "" : " (\(file.reference.position))"
        return fault(
            "\(file.kind.rawValue) \(quoted(file.reference.path))\(position) is in the public "
                + "directory \(quoted(publicDirectory.path))"
                + (name.map { ", as \(quoted($0))," } ?? "")
                + " and would be served",
            advice: "set `public` to a directory that contains only public files, or move the file "
                + "out of it")
    }

    private func fault(_ message: String, advice: String) -> Diagnostic {
        Diagnostic(
            .error, .secretInPublic, at: publicDirectory.position, message, advice: advice)
    }
}
