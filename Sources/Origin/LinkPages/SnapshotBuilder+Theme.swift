import Diagnostics
import Files
import Pages
import SiteConfiguration
import TLS

extension SnapshotBuilder {
    /// The operator's theme over the built-in one; nil once its faults have been said.
    mutating func loadTheme() -> Theme? {
        let presentation = environment.presentation
        let (theme, findings) = Theme.compile(
            presentation.theme.map { themeFiles($0) } ?? [], variables: presentation.style,
            texts: presentation.textPlaces, digest: sha256)
        add(findings)
        return theme
    }

    private mutating func themeFiles(_ directory: FileReference) -> [Theme.File] {
        let found: [FoundFile]
        do {
            found = try findFiles(under: directory.path)
        } catch {
            report(error, of: directory)
            return []
        }
        return found.compactMap { file in
            let reference = FileReference(path: file.realPath, place: directory.place)
            let content = load(reference, "theme file", bytesMax: themeFileBytesMax)
            return content.map {
                Theme.File(
                    name: file.relativePath, path: "\(directory.path)/\(file.relativePath)",
                    bytes: $0.bytes)
            }
        }
    }
}

extension SnapshotBuilder {
    private mutating func report(_ error: FileTreeError, of theme: FileReference) {
        let (fact, kind): (String, SnapshotError.Kind) =
            switch error {
            case .unreadable(_, .missing): ("there is no such directory", .missingFile)
            case .unreadable(let path, let reason):
                ("\(quoted(path)): \(reason)", .init(reason))
            case .unreadableEntry(let path, let reason):
                (
                    "\(quoted(path)): \(reason)",
                    reason == .noPermission ? .noPermission : .invalid
                )
            case .dangling(let path): ("\(quoted(path)) is a symbolic link to nothing", .invalid)
            case .escapes(let path, let target):
                ("\(quoted(path)) is a symbolic link out of it, to \(quoted(target))", .invalid)
            case .notUTF8: ("a file's name is not UTF-8", .invalid)
            case .tooDeep(let path, let limit):
                ("\(quoted(path)) lies more than \(limit) directories deep", .invalid)
            }
        fail(
            "theme", at: theme.place, "theme \(quoted(theme.path)) cannot be read: \(fact)",
            advice: kind == .missingFile
                ? "waymark init --theme \(theme.path) writes one to begin with" : nil,
            kind: kind)
    }
}

/// Templates and styles go into every page.
private let themeFileBytesMax = 256 << 10
