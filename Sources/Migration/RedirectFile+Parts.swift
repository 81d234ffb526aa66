// Of a file in a directory, nobody can say where it belongs if it names no host and others beside it do: a
// server may include it in one place, or nowhere.

extension Migration {
    /// Whether a file of a server names hosts; nil for a kind that belongs to no host.
    package static func namesHosts(_ bytes: [UInt8], _ kind: Kind, file: String) -> Bool? {
        switch kind {
        case .nginx: !RedirectFile.nginx(bytes, file: file).hosts.isEmpty
        case .caddy: !RedirectFile.caddy(bytes, file: file).hosts.isEmpty
        default: nil
        }
    }
}

extension RedirectFile {
    /// The file without its rules for all paths, which a server applies only where it includes the file. The other rules
    /// are for every host.
    func asPart() -> RedirectFile {
        var part = self
        part.leaveOut(
            where: { $0.query.isEmpty && !Set(["/*", "*"]).isDisjoint(with: $0.match) },
            "it would be for all paths, the file names no host, and no host of the other files is "
                + "known to include it")
        part.differ("it is for every host, because its file names none")
        return part
    }
}
