package import Diagnostics
package import Files
package import SiteConfiguration

/// The files that must not be public, by what they are, so that another name for one, a hard or
/// symbolic link, is found too: those that the configuration names for the operator alone, and those
/// that this process writes to.
package struct ConfidentialFiles: Sendable {
    package let files: [ConfidentialFile]
    package let outputs: [FileIdentity]
    /// The indexes of files and directories, of templates by their theme, and of files that do not
    /// exist yet by their directory.
    private var byIdentity = [FileIdentity: [Int]]()
    private var byTemplate = [FileIdentity: [Int]]()
    private var byDirectory = [FileIdentity: [Int]]()

    /// Looks at every file.
    /// - Parameter outputs: files that this process writes to.
    package init(_ files: [ConfidentialFile], outputs: [FileIdentity] = []) {
        (self.files, self.outputs) = (files, outputs)
        for (index, file) in files.enumerated() {
            let path = file.reference.path
            guard let identity = FileIdentity(of: path) else {
                // It may be made later: a log is when it is opened.
                if let parent = parentOfVisible(path) {
                    byDirectory[parent, default: []].append(index)
                }
                continue
            }
            byIdentity[identity, default: []].append(index)
            guard file.kind == .theme else { continue }
            for template in findTree(under: path).files
            where !template.relativePath.utf8.contains(UInt8(ascii: "/")) {
                byTemplate[template.stamp.identity, default: []].append(index)
            }
        }
    }

    /// The same files as they are now.
    var renewed: ConfidentialFiles { ConfidentialFiles(files, outputs: outputs) }

    /// Reports which of them are in a site's public directory.
    package func exposures(in tree: FileTree, of site: Site) -> [Diagnostic] {
        // By the index of the file: its name there, if it is a file, and how it was recognized.
        var found = [Int: (rank: Int, name: String?)]()
        func add(_ indexes: [Int]?, _ rank: Int, _ name: String?) {
            for index in indexes ?? [] where found[index].map({ rank < $0.rank }) ?? true {
                found[index] = (rank, name)
            }
        }
        for file in tree.files {
            add(byIdentity[file.stamp.identity], 0, file.relativePath)
            add(byTemplate[file.stamp.identity], 2, file.relativePath)
        }
        for directory in tree.directories {
            add(byIdentity[directory.identity], 1, nil)
            add(byDirectory[directory.identity], 1, nil)
        }
        let directory = site.publicDirectory
        return found.sorted { $0.key < $1.key }.map { index, place in
            exposure(of: files[index], as: place.name, in: directory)
        } + outputFaults(in: tree, directory)
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

    private func exposure(
        of file: ConfidentialFile, as name: String?, in directory: FileReference
    ) -> Diagnostic {
        let position = file.kind == .configuration ? "" : " (\(file.reference.position))"
        return Diagnostic(
            .error, .secretInPublic, at: directory.position,
            "\(file.kind.rawValue) \(quoted(file.reference.path))\(position) is in the public "
                + "directory \(quoted(directory.path))"
                + (name.map { ", as \(quoted($0))," } ?? "")
                + " and would be served",
            advice: file.kind == .accessLog
                ? "set `log.to` to a file in another directory, such as logs/access.log"
                : "set `public` to a directory that contains only public files, or move "
                    + (file.kind == .theme ? "the theme" : "the file") + " out of it")
    }

    /// The directory of this path; nil if there is none, or if the name is hidden and so not served.
    private func parentOfVisible(_ path: String) -> FileIdentity? {
        let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        guard name > 0, path.utf8.suffix(name).first != UInt8(ascii: ".") else { return nil }
        let parent = String(decoding: path.utf8.dropLast(name), as: UTF8.self)
        return FileIdentity(of: parent.isEmpty ? "." : parent)
    }
}
