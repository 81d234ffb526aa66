private import URISyntax

/// A server of nginx, and the hosts that it answers.
struct NginxServer {
    let block: [NginxDirective]
    /// Names that a configuration can have.
    let hosts: [String]
    /// Names that are expressions, or have a wildcard at their end.
    let otherNames: [(String, SourceLine)]
    let nameSource: SourceLine?
    let isSecure: Bool

    init(_ block: [NginxDirective]) {
        self.block = block
        let named = block.filter { $0.name == "server_name" }
        var (hosts, others) = ([String](), [(String, SourceLine)]())
        for directive in named {
            for word in directive.words.map({ $0.lowercased() }) where word != "_" && word != "" {
                let isDomain = word.utf8.first == UInt8(ascii: ".")
                let base = isDomain ? String(word.dropFirst()) : word
                let name = base.utf8.starts(with: "*.".utf8) ? String(base.dropFirst(2)) : base
                guard let host = try? HostName(name), !host.isAddress else {
                    if (try? HostName(name)) == nil { others.append((word, directive.source)) }
                    continue
                }
                hosts += isDomain ? [base, "*.\(base)"] : [base]
            }
        }
        self.hosts = hosts
        otherNames = others
        nameSource = named.first?.source
        isSecure = block.contains { directive in
            directive.name == "listen"
                && (directive.words.contains("ssl") || directive.words.contains("quic")
                    || directive.words.first?.utf8.suffix(3).elementsEqual("443".utf8) == true)
        }
    }
}
