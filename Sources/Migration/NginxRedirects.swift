extension RedirectFile {
    /// Reads the `return` and `rewrite` directives of an nginx configuration (nginx, "Module
    /// ngx_http_rewrite_module"), for each host those of the server that answers it over https.
    static func nginx(_ text: [UInt8], file: String) -> RedirectFile {
        guard !beginsWithMark(text) else { return RedirectFile(marked: file) }
        var result = RedirectFile()
        let (top, fault) = NginxReader.read(text, file: file)
        if let fault {
            result.faults = [fault]
            return result
        }
        let blocks = top.flatMap { $0.all("server") }.compactMap(\.block)
        let others = top.filter { directive in
            directive.all("server").allSatisfy { $0.block == nil }
        }
        if !others.isEmpty, blocks.isEmpty || others.contains(where: \.isRedirecting) {
            result.readServer(others, hosts: [])
            result.readIncludes(top.filter { $0.name != "include" })
        } else {
            result.readIncludes(top)
        }
        result.readServers(blocks.map(NginxServer.init))
        for map in top.flatMap({ $0.all("map") }) {
            result.skip(map.source, "maps are not read; give their entries as a CSV file")
        }
        return result
    }

    private mutating func readServers(_ servers: [NginxServer]) {
        // Plain HTTP is redirected to https, so that only a host without TLS gets those of http.
        var owners = [String: Int]()
        let inOrder =
            servers.indices.filter { servers[$0].isSecure }
            + servers.indices.filter { !servers[$0].isSecure }
        for number in inOrder {
            for host in servers[number].hosts where owners[host] == nil { owners[host] = number }
        }
        for (number, server) in servers.enumerated() {
            let own = server.hosts.filter { owners[$0] == number }
            name(own)
            for (name, source) in server.otherNames {
                skip(source, "\(name) is not the name of a host, and hosts have whole names here")
            }
            if !own.isEmpty || owners.isEmpty {
                readServer(server.block, hosts: own)
            } else {
                skipServer(server)
            }
        }
    }

    /// A server whose hosts another one answers, or that answers hosts without a name.
    private mutating func skipServer(_ server: NginxServer) {
        let redirecting = server.block.filter(\.isRedirecting)
        let hosts = Set(server.hosts)
        for directive in redirecting {
            let target = directive.name == "return" ? directive.words.last ?? "" : ""
            let host =
                target.utf8.starts(with: "https://".utf8) && target.hasSuffix("$request_uri")
                ? String(target.dropFirst(8).dropLast(12)) : ""
            if host.utf8.first == UInt8(ascii: "$") || hosts.contains(host) {
                pass(directive.source, upgradeReason)
            } else {
                let names = server.nameSource.map { " of \($0.text)" } ?? ""
                skip(
                    directive.source,
                    hosts.isEmpty
                        ? "the server\(names) is for hosts that have no name here"
                        : "plain HTTP is redirected to https, where another server answers")
            }
        }
    }

    private mutating func readServer(_ block: [NginxDirective], hosts: [String]) {
        currentHosts = hosts
        let start = rules.count
        let values = nginxValues(hosts)
        let isAnswered = block.contains { $0.words == ["/"] && $0.fallback != nil }
        for page in block where page.name == "error_page" {
            guard isAnswered, page.words.contains("404") else {
                readErrorPage(page, values, of: block)
                continue
            }
            pass(page.source, "`try_files` of `location /` answers all other paths")
        }
        skipIncludes(block)
        defer { redirectMissing(from: start) }
        // The server's own directives come before all locations, up to a `return`.
        for directive in block {
            if directive.name == "break" { break }
            _ = read(directive, values, within: nil)
            guard directive.name == "return" else { continue }
            for location in block where location.name == "location" && location.isRedirecting {
                skip(location.source, "the server's own `return` comes before it")
            }
            return
        }
        readLocations(block, values)
    }

    /// The values of variables, other than a `$host` in front of a path, which is read before.
    private func nginxValues(_ hosts: [String]) -> [String: String] {
        var values = [
            "scheme": "https", "request_uri": "{path}?{query}", "uri": "{path}",
            "document_uri": "{path}", "args": "{query}", "query_string": "{query}", "is_args": "?",
        ]
        let named = hosts.filter { $0.utf8.first != UInt8(ascii: "*") }
        values["server_name"] = named.first
        // Of several, only the request knows the host.
        if hosts.count == 1 { (values["host"], values["http_host"]) = (named.first, named.first) }
        return values
    }

    mutating func skipIncludes(_ block: [NginxDirective]) {
        for directive in block where directive.name == "include" {
            include(directive.words.first ?? "", directive.source, isOuter: false)
        }
    }

    /// Takes note of what stands outside of all servers.
    private mutating func readIncludes(_ directives: [NginxDirective]) {
        for directive in directives {
            if directive.name == "http" { readIncludes(directive.block ?? []) }
            guard directive.name == "include" else { continue }
            include(directive.words.first ?? "", directive.source, isOuter: true)
        }
    }

    /// Reads what replaces an error: a file or a redirect for paths that are not found. Other files
    /// are the content of an error, and not read.
    private mutating func readErrorPage(
        _ directive: NginxDirective, _ values: [String: String], of server: [NginxDirective]
    ) {
        let source = directive.source
        let codes = directive.words.prefix { Int($0) != nil }
        let rest = directive.words.dropFirst(codes.count)
        let response = rest.first { $0.utf8.first == UInt8(ascii: "=") }
        guard let target = rest.last, target != response else { return }
        let isPage = target.utf8.first == UInt8(ascii: "/")
        guard codes.contains("404") else {
            guard isPage, response == nil else {
                return skip(source, "only paths without a link have an answer of their own")
            }
            return
        }
        if codes.count > 1, !isPage || response != nil {
            skip(source, "only its answer for 404 has an equal")
        }
        if isPage {
            // Without a number, the status is the file's own.
            let status = response.map { $0 == "=" ? 200 : Int($0.dropFirst()) ?? 0 } ?? 404
            guard status == 200 || status == 404 else {
                return skip(source, "a page for all other paths has the status 200 or 404")
            }
            return answerRest(with: target, status: status, source)
        }
        if target.utf8.first == UInt8(ascii: "@") {
            return readFallback(named: target, response, values, source, server)
        }
        let status = response.flatMap { Int($0.dropFirst()) } ?? 302
        guard let answer = nginxAnswer(target, values, status: status) else {
            return skip(source, unusableDestination)
        }
        answerRest(with: answer.answer, status: status, source, keepsHost: answer.keepsHost)
    }

    /// A named location for what is not found, which must begin with its redirect.
    private mutating func readFallback(
        named name: String, _ response: String?, _ values: [String: String], _ source: SourceLine,
        _ server: [NginxDirective]
    ) {
        let location = server.first { $0.name == "location" && $0.words == [name] }
        let first = location?.block?.first { $0.isRedirecting || $0.name == "break" }
        guard response == "=", let first, first.name == "return",
            let status = Int(first.words.first ?? ""), nginxRedirects.contains(status),
            let target = first.words.dropFirst().first,
            let found = nginxAnswer(target, values, status: status)
        else {
            return skip(source, "\(name) is no redirect, which is all that unknown paths can get")
        }
        answerRest(with: found.answer, status: status, source, keepsHost: found.keepsHost)
    }
}

/// The statuses for which nginx sends the text of a `return` as the location.
let nginxRedirects: Set = [301, 302, 303, 307, 308]
