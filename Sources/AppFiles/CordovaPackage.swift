/// A package or a directory that a project or a plugin of Cordova names.
struct CordovaPackage {
    let name: String
    /// Its version, or where it is.
    let spec: String
    /// Whether it can be a plugin.
    let mayBePlugin: Bool

    /// Whether a package has the name of a plugin, and not of a platform.
    static func isOfPlugin(_ name: String) -> Bool {
        guard name != "cordova-android", name != "cordova-ios" else { return false }
        let name = name.lowercased()
        return holds("cordova", in: name) || holds("phonegap", in: name)
            || holds("ionic-plugin", in: name) || name.utf8.suffix(7).elementsEqual("-plugin".utf8)
    }

    /// Its name without the version that can stand behind it in `config.xml`, and its version, or where it is.
    var nameAndVersion: (name: String, version: String) {
        let at = UInt8(ascii: "@")
        guard let end = name.utf8.dropFirst().firstIndex(of: at) else { return (name, spec) }
        let start = name.utf8.index(after: end)
        return (String(name[..<end]), String(name[start...]))
    }

    /// Whether it is a directory or an archive of the disk, or a package of the same workspace.
    var isNamedByPath: Bool {
        let isArchive = [".tgz", ".tar.gz"].contains {
            spec.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
        return mark != nil || [".", ".."].contains { spec.utf8.elementsEqual($0.utf8) }
            || ["./", "../", "/", "~/"].contains { spec.utf8.starts(with: $0.utf8) }
            || isArchive && !holds("://", in: spec)
    }

    /// The directory that its spec can mean, with a slash behind it; nil if that is none of the checkout.
    /// - Parameter base: the directory from which the path leads, with a slash behind it.
    func directory(from base: String) -> String? {
        let path = spec.utf8.dropFirst(mark?.utf8.count ?? 0)
        guard let first = path.first, first != UInt8(ascii: "/") else { return nil }
        return normalized(base + String(Substring(path))).map { $0.isEmpty ? "" : "\($0)/" }
    }

    private var mark: String? { diskMark(of: spec) }
}
