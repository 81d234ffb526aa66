/// The plugins of a version catalog by the letters of their aliases (Gradle, "Version catalogs"). Of its TOML, the table
/// `plugins` is read, an entry in one line.
struct GradleCatalog {
    /// A plugin as its catalog has it.
    struct Plugin {
        let identifier: [UInt8]
    }

    /// An inner nil for aliases with the same letters.
    private var plugins = [String: Plugin?]()

    /// Whether it can have plugins in a form that is not read.
    private var isOpen = false

    /// - Parameter isOpen: whether its plugins are not known.
    init(isOpen: Bool = false) { self.isOpen = isOpen }

    init(_ bytes: [UInt8]) {
        var isOfPlugins = false
        // It is in UTF-16.
        if bytes.contains(0) { isOpen = true }
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = plain(line)
            if text.first == UInt8(ascii: "[") {
                let name = plain(text.dropFirst().prefix { $0 != UInt8(ascii: "]") })
                isOfPlugins = name.elementsEqual("plugins".utf8)
                // `[plugins.shop]`.
                if !isOfPlugins, name.contains("plugins".utf8) { isOpen = true }
            } else if text.starts(with: "plugins".utf8) {
                isOpen = true
            } else if isOfPlugins, !text.isEmpty, text.first != UInt8(ascii: "#") {
                guard let (key, value) = pair(text), let plugin = Plugin(value),
                    !key.contains(UInt8(ascii: "."))
                else {
                    isOpen = true
                    continue
                }
                let alias = letters(of: key)
                plugins[alias] = .some(plugins[alias] == nil ? plugin : nil)
            }
        }
    }

    /// The plugin of an alias: nil if the catalog has none, and an inner nil if it is not known.
    func plugin(_ alias: [UInt8]) -> Plugin?? { isOpen ? .some(nil) : plugins[letters(of: alias)] }

    /// Whether an alias is the plugin that makes placeholders of secrets, by its name if nothing else is known of it.
    func isOfSecrets(_ alias: [UInt8]) -> Bool {
        plugin(alias).flatMap(\.self).map { gradleSecrets.contains($0.identifier) }
            ?? holds("secrets", in: letters(of: alias))
    }
}

extension GradleCatalog.Plugin {
    /// `"com.example.shop:1.0"`, and `{ id = "com.example.shop", version.ref = "shop" }`; nil for another value.
    fileprivate init?(_ value: ArraySlice<UInt8>) {
        guard value.first == UInt8(ascii: "{") else {
            guard let text = quotedText(value) else { return nil }
            guard let first = text.split(separator: UInt8(ascii: ":")).first else { return nil }
            identifier = Array(first)
            return
        }
        var identifier = [UInt8]()
        for part in value.dropFirst().split(separator: UInt8(ascii: ",")) {
            guard let (key, value) = pair(part) else { continue }
            if key.elementsEqual("id".utf8) { identifier = Array(quotedText(value) ?? []) }
        }
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }
}

/// The catalogs of a checkout, each read once.
final class GradleCatalogs {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private var known = [String: GradleCatalog]()
    /// The files of which settings scripts make the catalog, by these.
    private var making = [String: Source]()

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// The catalog `libs` of the build in which a directory is.
    func catalog(around directory: String) -> GradleCatalog {
        var parts = pathParts(directory)
        repeat {
            var name = (parts + ["gradle", "libs.versions.toml"]).joined(separator: "/")
            for settings in gradleSettingsScripts.map({ (parts + [$0]).joined(separator: "/") }) {
                switch source(in: settings) {
                case .usual: break
                case .file(let path): name = path
                case .unknown: return GradleCatalog(isOpen: true)
                }
            }
            guard names.contains(Array(name.utf8)) else { continue }
            if let found = known[name] { return found }
            let bytes = try? files.open(name).readWhole()
            let found = bytes.map { GradleCatalog($0) } ?? GradleCatalog(isOpen: true)
            known[name] = found
            return found
        } while parts.popLast() != nil
        return GradleCatalog()
    }
}

extension GradleCatalogs {
    /// The origin of the catalog `libs` of a settings script.
    private enum Source {
        case usual
        case file(String)
        case unknown
    }

    private func source(in settings: String) -> Source {
        if let found = making[settings] { return found }
        var found = Source.usual
        if names.contains(Array(settings.utf8)), let bytes = try? files.open(settings).readWhole(),
            bytes.contains("versionCatalogs".utf8)
        {
            let block = GradleLexer.tokens(of: bytes, in: settings).blockOfCatalogs
            let texts = block.filter(\.isText)
            let makesPlugins = block.contains { token in
                token.parts.last.map { ["from", "plugin"].contains($0) } == true
            }
            if texts.contains(.text("libs")), makesPlugins { found = .unknown }
            // `create("libs") { from(files("../gradle/libs.versions.toml")) }`.
            let directory = pathParts(settings).dropLast().joined(separator: "/")
            if texts.count == 2, texts[0] == .text("libs"), let path = texts[1].path,
                let file = normalized("\(directory)/\(path)"), names.contains(Array(file.utf8))
            {
                found = .file(file)
            }
        }
        making[settings] = found
        return found
    }
}

extension [GradleToken] {
    /// The block `versionCatalogs` of a settings script; empty without one.
    fileprivate var blockOfCatalogs: ArraySlice<GradleToken> {
        guard let start = firstIndex(where: { $0.parts.contains("versionCatalogs") }) else {
            return []
        }
        var depth = 0
        return self[start...].prefix { token in
            if token == .symbol(UInt8(ascii: "{")) { depth += 1 }
            if token == .symbol(UInt8(ascii: "}")) { depth -= 1 }
            return depth > 0 || token != .symbol(UInt8(ascii: "}"))
        }
    }
}

extension GradleToken {
    fileprivate var isText: Bool {
        switch self {
        case .text, .filled: true
        default: false
        }
    }
}

/// The key of a line of TOML, and what stands behind its sign; nil without one.
private func pair(
    _ line: ArraySlice<UInt8>
) -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (plain(line[..<sign]), plain(line[(sign + 1)...]))
}

/// The text within the quotation marks with which bytes begin; nil without such.
private func quotedText(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let mark = bytes.first, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
        return nil
    }
    return bytes.dropFirst().prefix { $0 != mark }
}

/// Bytes without blanks around them.
private func plain(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop { $0 <= 0x20 }
    guard let end = start.lastIndex(where: { $0 > 0x20 }) else { return start.prefix(0) }
    return start[...end]
}
