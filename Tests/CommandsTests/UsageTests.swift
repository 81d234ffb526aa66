import Testing

@Suite("Arguments that are wrong")
struct UsageTests {
    /// What is wrong with them, and what is said.
    static let rows: [(arguments: [String], message: String)] = [
        (serve + ["--loops", "0"], "--loops is 0, must be 1 to 256"),
        (serve + ["--user", "no-such-user"], "--user: there is no user \"no-such-user\""),
        (serve + ["--user", "root"], "--user is root; add --allow-root if that is intended"),
        (serve + ["--user", "nobody:no-such-group"], "--user: there is no group"),
        (serve + ["--https", "off", "--http", "off"], "--https and --http are both off"),
        (serve + ["--https", "x"], "The value 'x' is invalid for '--https"),
        (serve + ["--https", "99999"], listener("https", "99999", port("99999"))),
        (serve + ["--http", ":70000"], listener("http", ":70000", port("70000"))),
        (serve + ["--https", ":https"], listener("https", ":https", port("https"))),
        (serve + ["--https", "8443"], listener("https", "8443", "write :8443 for all addresses,")),
        (
            serve + ["--admin", "a.example:9090"],
            listener("admin", "a.example:9090", "\"a.example\" is not an IP address, and names")
        ),
        (
            serve + ["--https", "::1:8443"],
            listener("https", "::1:8443", "write an IPv6 address in brackets: [::1]:8443")
        ),
        (
            ["links", "list", "--admin", ":99999"], listener("admin", ":99999", port("99999"))
        ),
        (
            serve + ["--https", "https://127.0.0.1:8443/"],
            listener(
                "https", "https://127.0.0.1:8443/",
                "an address has no scheme; write 127.0.0.1:8443")
        ),
        (
            ["links", "list", "--admin", "https://127.0.0.1"],
            listener(
                "admin", "https://127.0.0.1", "an address has no scheme; write ADDRESS:PORT, :PORT")
        ),
        (
            ["healthcheck", "--admin", "http://a.example:9090"],
            listener("admin", "http://a.example:9090", "an address has no scheme; write ADDRESS")
        ),
        (
            ["links", "list", "--admin", "[::1]"],
            listener("admin", "[::1]", "the port is missing; write [::1]:8443, or another port")
        ),
        (
            ["links", "list", "--admin", "::1"],
            listener("admin", "::1", "the port is missing; write [::1]:8443, or another port")
        ),
        (
            ["serve", "--evn", "dev"],
            "Missing expected argument '--env <env>'; there is no option \"--evn\"; did you mean "
                + "\"--env\"?"
        ),
        (["serve", "--loops", "1"], "Missing expected argument '--env <env>'\n"),
        (
            ["init", "--host", "https://links.a.example/x"],
            "\"https://links.a.example/x\" is a URL; write its host: links.a.example"
        ),
        (serve + ["--drain-delay", "-1"], "--drain-delay is -1, must be 0 to 3600 seconds"),
        (serve + ["--drain-timeout", "-1"], "--drain-timeout is -1, must be 0 to 3600 seconds"),
        (serve + ["--loops", "-1"], "--loops is -1, must be 1 to 256"),
        (serve + ["--config", "-"], "serve cannot read its configuration from standard input"),
        (serve + ["--drain-delay", "99999"], "--drain-delay is 99999, must be 0 to "),
        (serve + ["--environment", "dev"], "Unknown option '--environment'"),
        (["healthcheck", "--admin", "off"], "--admin names no address"),
        (["healthcheck", "--admin", "9090x"], "The value '9090x' is invalid for '--admin"),
        (["check"], "no host was given, and no --config with --env"),
        (["check", "127.0.0.1"], "\"127.0.0.1\" is no host; write a name such as"),
        (["check", "0x7f.1"], "\"0x7f.1\" is no host"),
        (["check", "www.x.test/"], "\"www.x.test/\" is no host; write www.x.test\n"),
        (["check", "WWW.x.test."], "\"WWW.x.test.\" is no host; write www.x.test\n"),
        (
            ["check", "user@x.test:8443/a"],
            "\"user@x.test:8443/a\" is no host; write x.test:8443\n"
        ),
        (["check", "www.x.test/@user"], "\"www.x.test/@user\" is no host; write www.x.test\n"),
        (["check", "x.test:0"], "\"x.test:0\" is no host; write a name such as"),
        (["check", "user@127.0.0.1"], "\"user@127.0.0.1\" is no host; write a name such as"),
        (["init", "--host", "x.test/"], "\"x.test/\" is no host; write x.test\n"),
        (["init", "--host", "x.test:8443"], "\"x.test:8443\" is no host; write x.test\n"),
        (
            ["check", "https://a.example/"],
            "\"https://a.example/\" is a URL, and check takes hosts: write a.example"
        ),
        (
            ["qr", "“https://a.example/x”", "--format", "svg"],
            "\"“https://a.example/x”\": a link must begin with https:// or http://; write it in "
                + "straight quotes: \"https://a.example/x\""
        ),
        (
            ["qr", " https://a.example/", "--format", "svg"],
            "\" https://a.example/\": a link must begin with https:// or http://; remove the blank"
        ),
        (
            ["qr", "https://a.example/ ", "--format", "svg"],
            "\"https://a.example/ \": the link ends with a blank; remove it"
        ),
        (
            ["qr", "https://a.example/1\u{200B}", "--format", "svg"],
            "\"https://a.example/1\\u{200B}\": the link ends with U+200B, which nobody sees; remove it"
        ),
        (
            ["match", "https://a.example/ ", "--aasa", aasa],
            "\"https://a.example/ \": the link ends with a blank; remove it"
        ),
        (
            ["explain", "https://a.example/\u{A0}", "--env", "dev"],
            "\"https://a.example/\\u{A0}\": the link ends with"
        ),
        (
            ["match", "/product/1", "--aasa", aasa],
            "\"/product/1\": a link must begin with https:// or http://; write the whole link, "
                + "such as https://www.example.com/product/1"
        ),
        (["check", "a_b.example"], "\"a_b.example\" is no host"),
        (
            ["check", "bücher.example"],
            "\"bücher.example\" is no host; write it in punycode: xn--bcher-kva.example"
        ),
        (["check", "localhost"], "\"localhost\" is no name of the public internet; add"),
        (["check", "intranet"], "\"intranet\" is no name of the public internet; add"),
        (["check", "printer.local"], "\"printer.local\" is no name of the public internet"),
        (["check", "db.internal"], "\"db.internal\" is no name of the public internet"),
        (["check", "a.localhost"], "\"a.localhost\" is no name of the public internet"),
        (
            check("--proxy", "https://p.example"),
            invalid("proxy", "https://p.example", "is no proxy")
        ),
        (
            check("--proxy", "http://u:p@p.example"),
            invalid("proxy", "http://u:p@p.example", "is no proxy, such as")
        ),
        (
            check("--apple", "off", "--wait", "1h"),
            "--wait, --require-cdn and --always-ask-cdn need"
        ),
        (
            check("--apple", "off", "--require-cdn"),
            "--wait, --require-cdn and --always-ask-cdn need"
        ),
        (
            check("--apple", "off", "--always-ask-cdn"),
            "--wait, --require-cdn and --always-ask-cdn need Apple's CDN"
        ),
        (
            check("--apple", "ftp://x"),
            invalid("apple", "ftp://x", "is neither a URL without a path")
        ),
        (check("--every", "0s"), invalid("every", "0s", "is no time span, such as")),
        (check("--every", "5m", "--wait", "5m"), "--every and --wait cannot be used together"),
        (check("--every", "5m", "--format", "junit"), "--every prints text or json"),
        (
            check("--connect", "a.example:b:1"),
            invalid("connect", "a.example:b:1", "is not HOST:ADDRESS:PORT, such as")
        ),
        (["lint", "--cacert", "x", "y"], "--cacert is for --check-signature"),
        (["lint", "--ignore", "no-such-rule", "y"], "there is no rule \"no-such-rule\""),
        (["match", "", "--aasa", aasa], "\"\": a link must begin with https:// or http://"),
        (
            ["match", "--verbose", "", "--format", "json", "--aasa", aasa],
            "an argument is empty; name a file, a host or a link"
        ),
        (["lint", ""], "an argument is empty"),
        (["lint", "--check-signature", ""], "an argument is empty"),
        (["diff", "a", ""], "an argument is empty"),
        (["lint", "--env", "", "y"], "--env is empty; name an environment"),
        (["match", "https://a.example/", "--aasa", ""], "--aasa is empty; name a file"),
        (["match", "https://a.example/", "--aasa="], "--aasa is empty; name a file"),
        (check("--authorities", ""), "--authorities is empty; name a file"),
        (check("--textfile", ""), "--textfile is empty; name a file"),
        (["check", "--config", "", "--env", "dev"], "--config is empty; name a file"),
        (["test", "--config", ""], "--config is empty; name a file"),
        (["init", "--from", ""], "--from is empty; name a file or a directory"),
        (["init", "--theme", ""], "--theme is empty; name a directory"),
        (["init", "--certificates", ""], "--certificates is empty; name a directory"),
        (["qr", "https://a.example/", "-o", ""], "-o is empty; name a file"),
        (["qr", "https://a.example/", "--logo", ""], "--logo is empty; name a file"),
        (["links", "edit", "short/x", "--json", ""], "--json is empty; name a file"),
        (["links", "list", "--token-file", ""], "--token-file is empty; name a file"),
        (["report", "--robots", "", "x"], "--robots is empty; name a file"),
        (serve + ["--state", ""], "--state is empty; name a directory"),
        (
            ["match", "htps://a.example/x", "--aasa", aasa],
            "\"htps://a.example/x\": a link must begin with https:// or http://; did you mean "
                + "\"https://a.example/x\"?"
        ),
        (["match", "myapp://open", "--aasa", aasa], "\"myapp://open\": a link must begin with"),
        (["check", "a.example "], "\"a.example \" ends with a blank; remove it"),
        (
            check("--connect", "b.example:127.0.0.1:1"),
            "--connect is for \"b.example\", which is not checked; the only checked host is a.example"
        ),
        (
            ["match", "https://a.example/", "--aasa", aasa, "--include", "https://a.example/=x"],
            "--include is for --assetlinks"
        ),
        (
            ["lint", "a", "--include", "https://a.example/"],
            "--include \"https://a.example/\": write URL=FILE"
        ),
        (["lint", "a", "--include", "a.example=x"], "--include \"a.example=x\": a URL must"),
        (
            ["statements", "a", "--include", "https://a.b/=x", "--include", "https://a.b/=y"],
            "--include names https://a.b/ twice"
        ),
        (["match", "https://a.example/"], "give one of --aasa, --assetlinks, or --env with"),
        (["match", "https://a.example/", "--config", "c"], "--config needs --env"),
        (["match", "https://a.example/", "-", "--aasa", "x"], "- stands for the lines of"),
        (["match", "-", "--aasa", "-"], "standard input is either the links or the rules"),
        (["match", "https://a.example/", "--aasa", "x", "--env", "e"], "--env is for a"),
        (["explain", "-", "--env", "dev", "--format", "text"], "with -, the results are lines"),
        (["explain", "-", "--env", "dev", "--config", "-"], "standard input is either the links"),
        (["explain", "a b", "--config", "c", "--env", "dev"], ""),
        (["render", "robots", "--form", "legacy", "--config", "c", "--env", "dev"], ""),
        (["report", "https://a.example/"], "a URL is not fetched: give --env of the origin"),
        (
            ["diff", "a", "b", "--new-env", "dev"],
            "--new-env needs --env, the environment of the old version"
        ),
        (
            ["diff", aasa, assetlinks],
            "one version is an apple-app-site-association file, the other"
        ),
        (["init", "--env", "dev"], "--env chooses hosts of --config"),
        (["init", "dir"], "Unexpected argument 'dir'; init writes into the working directory; "),
        (["match", "a.example/x", "--env", "prod"], noScheme("a.example/x", "a.example/x")),
        (["explain", "a.example", "--env", "prod"], noScheme("a.example", "a.example")),
        (["qr", "a.example/x", "--format", "svg"], noScheme("a.example/x", "a.example/x")),
        (
            ["match", "waymark.yaml", "https://a.example/", "--env", "prod"],
            "\"waymark.yaml\": a link must begin with https:// or http://; give a configuration as "
                + "an option: --config waymark.yaml --env NAME"
        ),
        (
            ["match", "https://a.example/", "--aasa", "waymark.yaml"],
            "--aasa \"waymark.yaml\": give a configuration as --config waymark.yaml --env NAME"
        ),
        (
            ["match", "https://a.example/", "--assetlinks", "site.yml"],
            "--assetlinks \"site.yml\": give a configuration as --config site.yml --env NAME"
        ),
        (
            ["lint", "--config", "x"],
            "Unknown option '--config'; give the file itself: waymark lint"
        ),
        (
            ["lint", aasa, "--env", "dev"],
            "--env is for a configuration, which none of the files is"
        ),
        (["serve", "waymark.yaml", "--env", "dev"], "Unexpected argument 'waymark.yaml'; give a"),
        (["links", "list", "--admin", "off"], "--admin names no address"),
        (["links", "list", "--limit", "0"], "--limit is 0, must be at least 1"),
        (
            ["links", "copy", "a.db", "b.db"],
            "FROM and TO are files; copy one with `waymark links backup`"
        ),
        (
            ["links", "copy", "postgresql://a@b/c", "postgres://a@b/d"],
            "FROM and TO are databases; copy one with `pg_dump`"
        ),
        (["links", "list", "--state", "x"], "The value 'x' is invalid for '--state"),
        (
            ["links", "show", "a", "--token-file", "t", "--env", "e"],
            "--config and --env are for finding a token"
        ),
        (
            ["links", "show", "a", "--token-file", "-", "--config", "-"],
            "--config and --env are for finding a token"
        ),
        (
            ["links", "create", "--json", "a", "--note", "b"],
            "the link is described by --json or by a destination and options"
        ),
        (
            ["links", "check", "--json", "-", "--token-file", "-"],
            "standard input is either the link or the token"
        ),
        (
            ["links", "import", "-", "--token-file", "-"],
            "standard input is either the links or the token"
        ),
        (["links", "edit", "a"], "nothing is to be changed"),
        (["links", "delete", "a"], "standard input is no terminal, where you could be asked"),
        (["links", "explain", "a", "--as", "x"], "there is no client \"x\""),
        (["tokens", "remove", ".."], "The value '..' is invalid for '<id>'"),
        (["tokens", "create", "a"], "Missing expected argument '--scope"),
        (["test", "--format", "xml"], "The value 'xml' is invalid for '--format"),
    ]

    private static let serve = ["serve", "--env", "dev"]

    private static func check(_ options: String...) -> [String] {
        ["check", "a.example"] + options
    }

    private static func invalid(_ name: String, _ value: String, _ fault: String) -> String {
        "The value '\(value)' is invalid for '--\(name) <\(name)>': \"\(value)\" \(fault)"
    }

    private static func listener(_ name: String, _ value: String, _ fault: String) -> String {
        "The value '\(value)' is invalid for '--\(name) <\(name)>': \(fault)"
    }

    private static func noScheme(_ text: String, _ link: String) -> String {
        "\"\(text)\": a link must begin with https:// or http://; did you mean "
            + "\"https://\(link)\"?"
    }

    private static func port(_ text: String) -> String {
        "the port is \"\(text)\", must be a number from 0 to 65535"
    }

    private static let aasa = "Tests/Fixtures/report/apple-app-site-association"
    private static let assetlinks = "Tests/Fixtures/report/assetlinks.json"

    @Test(
        "are followed by the usage of their command, whenever they are looked at", arguments: rows)
    func usage(_ arguments: [String], _ message: String) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.messages.hasPrefix("Error: \(message)"), "\(outcome.messages)")
        let lines = outcome.messages.split(separator: "\n")
        let words = ["links", "tokens"].contains(arguments[0]) ? 2 : 1
        let command = arguments[..<words].joined(separator: " ")
        #expect(lines.contains { $0.hasPrefix("Usage: waymark \(command) ") })
        #expect(
            lines.last == "  See 'waymark \(command) --help' for more information.",
            "\(outcome.messages)")
    }

    /// OpenSSL is loaded meanwhile, on another thread.
    @Test func `an end while a start goes on is an orderly one`() throws {
        for _ in 0..<40 {
            let outcome = try Program.run(Self.serve + ["--loops", "0"])
            #expect(outcome.status == 64, "\(outcome)")
        }
    }

    /// Each command with two environments.
    static let twice: [[String]] = [
        ["serve"], ["match", "https://a.example/"], ["test"], ["lint", "waymark.yaml"],
        ["diff", "waymark.yaml"], ["init", "--config", "waymark.yaml"],
        ["explain", "https://a.example/"], ["qr", "https://a.example/"],
        ["render", "robots"], ["report", "https://a.example/"], ["links", "list"],
    ]

    @Test("two environments are refused by each command", arguments: twice)
    func environments(_ arguments: [String]) throws {
        for names in [["--env", "dev", "--env", "prod"], ["--env=dev", "--env=prod"]] {
            let outcome = try Program.run(arguments + names)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(
                outcome.messages.hasPrefix(
                    "Error: --env was given twice: \"dev\", \"prod\"; give one, whose sites are all "
                        + "served together\n"), "\(outcome.messages)")
        }
    }

    @Test func `two configurations are refused, and another option is overridden`() throws {
        let outcome = try Program.run("test", "--config", "a.yaml", "--config=b.yaml")
        #expect(outcome.status == 64)
        #expect(
            outcome.messages.hasPrefix(
                "Error: --config was given twice: \"a.yaml\", \"b.yaml\"; give one\n"))
        let json = try Program.run("test", "--format", "junit", "--format", "json")
        #expect(json.status == 0 && json.output.hasPrefix("["), "\(json)")
    }

    @Test(
        "a command that there is not is answered with the nearest",
        arguments: [
            (["lnt"], "there is no command \"lnt\"; did you mean \"lint\"?"),
            (["help", "serv"], "there is no command \"serv\"; did you mean \"serve\"?"),
            (["links", "lst"], "there is no command \"lst\"; did you mean \"list\"?"),
            (["tokens", "crate"], "there is no command \"crate\"; did you mean \"create\"?"),
            (["validate"], "there is no command \"validate\"; the commands are serve, render, "),
        ])
    func commands(_ arguments: [String], _ message: String) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.messages.hasPrefix("Error: \(message)"), "\(outcome.messages)")
    }

    @Test func `a command that there is not is followed by the program's own`() throws {
        let outcome = try Program.run("no-such-command")
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains("Usage: waymark <subcommand>"))
        for help in [["--help"], ["help", "serve"], ["serve", "--help"], ["--version"]] {
            #expect(try Program.run(help).status == 0)
        }
    }

    @Test func `the version is followed by the commit, if the builder set one`() throws {
        let outcome = try Program.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: /waymark 0\.1\.0( \([0-9a-f]{12}\))?\n/) != nil)
    }
}
