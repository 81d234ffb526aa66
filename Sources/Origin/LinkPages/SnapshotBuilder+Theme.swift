import Diagnostics
import Files
import Pages
import SiteConfiguration
import TLS

extension SnapshotBuilder {
    /// The operator's theme over the built-in one; nil once its faults have been said.
    mutating func loadTheme() -> Theme? {
        let presentation = environment.presentation
        let names = presentation.texts.values.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        let (theme, findings) = Theme.compile(
            presentation.theme.map { themeFiles($0) } ?? [], variables: presentation.style,
            textNames: names, digest: sha256)
        add(findings)
        return theme
    }

    private mutating func themeFiles(_ directory: FileReference) -> [Theme.File] {
        let found: [FoundFile]
        do {
            found = try findFiles(under: directory.path)
        } catch {
            fail(
                "unreadable-file", at: directory.place,
                "theme \(quoted(directory.path)) cannot be read: \(error)", kind: .missingFile)
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

/// Templates and styles go into every page.
private let themeFileBytesMax = 256 << 10
