import Diagnostics
import Files
import Pages
import SiteConfiguration

extension SiteBuilder {
    /// The operator's theme over the built-in one; nil once its faults have been said.
    mutating func loadTheme() -> Theme? {
        let presentation = site.presentation
        let isBuiltIn = presentation.theme == nil && presentation.textPositions.isEmpty
        if isBuiltIn, let known = shared.theme(presentation.style) { return known }
        let (theme, findings) = Theme.compile(
            presentation.theme.map { themeFiles($0) } ?? [], variables: presentation.style,
            texts: presentation.textPositions, digest: digest)
        add(findings)
        if isBuiltIn, let theme { shared.keep(theme, presentation.style) }
        return theme
    }

    private mutating func themeFiles(_ directory: FileReference) -> [Theme.File] {
        var files = [Theme.File]()
        do throws(FileError) {
            let root = try RootDirectory(directory.path)
            let tree = root.walk(directory.path) { file in
                let (name, path) = (file.found.relativePath, directory.path)
                let content = take("theme file", "\(path)/\(name)", at: directory.position) {
                    () throws(FileError) in try file.read(bytesMax: themeFileBytesMax)
                }
                guard let content else { return }
                files.append(Theme.File(name: name, path: "\(path)/\(name)", bytes: content.bytes))
            }
            for fault in tree.faults { report(fault, of: directory) }
        } catch {
            report(.unreadable(path: directory.path, error), of: directory)
        }
        return files.sorted { $0.name < $1.name }
    }
}

extension SiteBuilder {
    private mutating func report(_ error: FileTreeError, of theme: FileReference) {
        let isMissing = error == .unreadable(path: theme.path, .missing)
        fail(
            .theme, at: theme.position,
            "theme \(quotedPath(theme.path)) cannot be read: \(error.fact)",
            advice: isMissing
                ? "waymark init --theme \(theme.path) writes one to begin with" : error.advice,
            kind: isMissing ? .missingFile : error.kind)
    }
}

/// Templates and styles go into every page.
private let themeFileBytesMax = 256 << 10
