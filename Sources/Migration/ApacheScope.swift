/// A section of a configuration of Apache that is open.
struct ApacheScope {
    let name: String
    let source: SourceLine
    /// Whether its rules apply to some requests only.
    let isLimit: Bool
    /// Whether its server passes over it.
    let isAbsent: Bool
    /// The path of a directory below the host's documents.
    let base: String?
    /// Whether it is a host's own.
    var isHost: Bool { name == "virtualhost" }
    /// Whether it limits neither hosts nor paths. Of a condition it is not known whether it is met.
    var isForWholeServer: Bool {
        let isCondition = name != "if" && name.utf8.starts(with: "if".utf8)
        return !isHost && base == nil && (!isLimit || isCondition)
    }

    /// - Parameters:
    ///   - kind: its name in small letters.
    ///   - below: the path of a directory below the host's documents.
    init(_ kind: String, _ argument: String, below: String?, _ source: SourceLine) {
        (name, base, self.source) = (kind, below, source)
        (isLimit, isAbsent) =
            kind == "ifmodule"
            ? Self.moduleLimit(argument) : (Self.limits.contains(kind) && below == nil, false)
    }

    private static let limits: Set = [
        "location", "directory", "files", "if", "else", "elseif", "locationmatch",
        "directorymatch", "filesmatch", "proxy", "limit", "limitexcept", "macro", "ifdefine",
        "ifversion", "iffile", "ifdirective", "ifsection",
    ]

    /// Whether a section for a module, or for its absence, is met: modules that nearly every server
    /// has are there. Of others nothing is known.
    private static func moduleLimit(_ argument: String) -> (isLimit: Bool, isAbsent: Bool) {
        let isNegated = argument.utf8.first == UInt8(ascii: "!")
        var name = argument.lowercased().utf8.drop { $0 == UInt8(ascii: "!") }
        if name.starts(with: "mod_".utf8) { name = name.dropFirst("mod_".utf8.count) }
        for end in [".c", "_module"] where name.suffix(end.utf8.count).elementsEqual(end.utf8) {
            name = name.dropLast(end.utf8.count)
        }
        let isKnown = modules.contains(String(decoding: name, as: UTF8.self))
        return (!isKnown, isKnown && isNegated)
    }

    private static let modules: Set = [
        "alias", "rewrite", "dir", "mime", "setenvif", "env", "headers", "expires", "deflate",
        "filter", "negotiation", "autoindex", "ssl", "authz_core", "authz_host", "access_compat",
        "so", "core", "log_config",
    ]
}
