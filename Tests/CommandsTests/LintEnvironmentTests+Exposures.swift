import Testing

extension LintEnvironmentTests {
    private static let prod =
        "'  prod: {extends: dev, tls: {certificate: certs/dev.pem, key: Public/prod}}'"

    /// Gives a file a second name in the public directory, beside a store.
    private static func linking(_ file: String, _ store: String = "var/links.db") -> String {
        "mkdir var; touch \(file); ln \(file) Public/x.txt; "
            + "echo '    store: \(store)' >> waymark.yaml"
    }

    private static let store =
        "{ printf 'SQLite format 3\\0'; head -c 52 /dev/zero; printf WMLK; } > Public/a.bin"

    /// What must not be public, and is; beside each what looks like it.
    static let exposures: [(String, Int32, String)] = [
        (
            "echo '    public: .' >> waymark.yaml", 78,
            "waymark.yaml:11:13: error: the configuration \""
        ),
        (
            "echo '    public: .' >> waymark.yaml", 78,
            "waymark.yaml\" is in the public directory \""
        ),
        (
            "echo '    public: .' >> waymark.yaml", 78,
            "the private key \"CERTS/dev.key\" (SITE/waymark.yaml:9:44) is in the public directory"
        ),
        (
            "echo '    public: certs' >> waymark.yaml", 78,
            ", as \"dev.key\", and would be served [secret-in-public]"
        ),
        (
            "echo '    public: .' >> waymark.yaml", 78,
            "set `public` to a directory that contains only public files"
        ),
        ("ln certs/dev.key Public/photo.jpg", 78, ", as \"photo.jpg\", and would be served"),
        ("ln waymark.yaml Public/site.txt", 78, ", as \"site.txt\", and would be served"),
        ("cp waymark.yaml Public/example.yaml", 0, ""),
        ("ln certs/dev.pem Public/ca.pem", 0, ""),
        (
            linking("var/links.db.token"), 78,
            "\"SITE/var/links.db.token\", a file beside the store of links "
                + "\"SITE/var/links.db\" (SITE/waymark.yaml:11:12), is in the public directory "
                + "\"SITE/Public\", as \"x.txt\", and would be served [secret-in-public]"
        ),
        (linking("var/links.db.lock"), 78, "/links.db.lock\", a file beside the store"),
        (linking("var/links.db.visits"), 78, "/links.db.visits\", a file beside the store"),
        (linking("var/links.db.visits-wal"), 78, "/links.db.visits-wal\", a file beside the"),
        (linking("var/links.db.1.backup"), 78, "/links.db.1.backup\", a file beside the store"),
        (linking("var/links.db.replaced-2"), 78, "/links.db.replaced-2\", a file beside the"),
        (linking("var/.l.token", "var/.l"), 78, "/var/.l.token\", a file beside the store"),
        (linking("links.db.token", "links.db"), 78, "/links.db.token\", a file beside the store"),
        (linking("var/links.dbx"), 0, ""), (linking("var/readme.txt"), 0, ""),
        (linking("links.db.token"), 0, ""),
        (
            "echo '    log: {to: access.log}' >> waymark.yaml; touch access.log.1; "
                + "ln access.log.1 Public/x.txt", 78,
            "/access.log.1\", a file beside the access log \"SITE/access.log\""
        ),
        (
            store, 78,
            "public file \"a.bin\" is a store of links, or a backup of one [secret-in-public]"
        ),
        (store.replacing("WMLK", with: "WMVS"), 78, "\"a.bin\" is a file of visits, or a backup"),
        (store.replacing("WMLK", with: "WMLX"), 0, ""),
        (
            "openssl rand -out Public/t 80; echo '    tls-tickets: [Public/t]' >> waymark.yaml", 78,
            "the ticket key file \"SITE/Public/t\" (SITE/waymark.yaml:11:19) is in"
        ),
        (
            "echo '    log: {to: Public/access.log}' >> waymark.yaml", 78,
            "the access log \"SITE/Public/access.log\" (SITE/waymark.yaml:11:15) is in"
        ),
        (
            "mkdir Public/logs; echo '    log: {to: Public/logs/../logs/a}' >> waymark.yaml", 78,
            "the access log \""
        ),
        ("mkdir Public/.logs; echo '    log: {to: Public/.logs/a}' >> waymark.yaml", 0, ""),
        (
            "mkdir Public/themes; echo 'site: {theme: Public/themes}' >> waymark.yaml", 78,
            "the theme \"SITE/Public/themes\" (SITE/waymark.yaml:11:15) is in the public directory"
        ),
        (
            "mkdir t; echo '{{texts.open}}' > t/footer.mustache; ln t/footer.mustache Public/x; "
                + "echo 'site: {theme: t}' >> waymark.yaml", 78, ", as \"x\", and would be served"
        ),
        (
            "cp certs/dev.key Public/prod; echo \(prod) >> waymark.yaml", 78,
            "the private key \"SITE/Public/prod\" ("
        ),
        (
            "openssl genpkey -algorithm ED25519 -out Public/app.js", 78,
            "public file \"app.js\" contains a private key (PEM) [private-key-in-public]"
        ),
        (
            "printf '%s\\n' '-----BEGIN PRIVATE KEY-----' MIIEvQ... > Public/howto.html", 0, ""
        ),
        (
            "echo a > Public/.env; ln -s .env Public/env", 78,
            "\"env\" in the public directory is a symbolic link to \".env\", which is hidden"
        ),
        (
            "mkdir Public/..1 Public/..2; echo a > Public/..2/a; ln -s ..2 Public/..data; "
                + "ln -s ..data/a Public/a", 0, ""
        ),
        (
            "touch \"$(printf 'Public/caf\\351')\"", 78,
            "[file-name-not-utf8]"
        ),
        ("touch \"$(printf 'Public/.caf\\351')\"", 0, ""),
    ]

    /// An access log that is another file, by whatever name; beside each what looks like it.
    static let logs: [(String, Int32, String)] = [
        (log("access.log"), 0, ""),
        (
            log("waymark.yaml"), 78,
            "waymark.yaml:11:15: error: the access log \"SITE/waymark.yaml\" is the configuration \""
        ),
        (log("waymark.yaml"), 78, "set `log.to` to a file of its own, such as access.log"),
        ("mkdir sub; " + log("sub/../waymark.yaml"), 78, "/sub/../waymark.yaml\" is the config"),
        ("ln waymark.yaml a.log; " + log("a.log"), 78, "a.log\" is the configuration"),
        ("ln -s waymark.yaml a.log; " + log("a.log"), 78, "a.log\" is the configuration"),
        ("cp waymark.yaml a.log; " + log("a.log"), 0, ""),
        (log("certs/dev.key"), 78, "is the private key \"CERTS/dev.key\", and its lines"),
        (log("certs/dev.pem"), 78, "is \"CERTS/dev.pem\", which is served or needed to serve"),
        (log("certs/dev.log"), 0, ""),
        (log("links.db", "store: links.db"), 78, "is the store of links \"SITE/links.db\", and"),
        (
            "mkdir sub; " + log("sub/../links.db.visits-wal", "store: links.db"), 78,
            "is \"SITE/links.db.visits-wal\", a file of the store of links, and its lines"
        ),
        (log("links.db-journal", "store: links.db"), 78, "a file of the store of links"),
        (log("links.db.log", "store: links.db"), 0, ""),
        (
            "mkdir t; echo 'site: {theme: t}' >> waymark.yaml; sed -i 's#^    tls:.*#&\\n    log: {to: t/style.css}#' "
                + "waymark.yaml", 78, "is in the theme \"SITE/t\""
        ),
        (
            "mkdir -p hook/.well-known/acme-challenge; "
                + log("hook/.well-known/acme-challenge/log", "acme-webroot: hook"), 78,
            "is in \"SITE/hook/.well-known/acme-challenge\", which is served"
        ),
        ("mkdir hook; " + log("hook/a.log", "acme-webroot: hook"), 0, ""),
        (
            "ln -s links.db a.log; " + log("a.log", "store: links.db"), 78,
            "is the store of links \"SITE/links.db\", and"
        ),
        // Links to nothing, which are followed when the file is made.
        (
            "mkdir -p Public; ln -s Public/new.log b.log; ln -s b.log a.log; " + log("a.log"), 78,
            "is in the public directory"
        ),
        ("mkdir -p logs; ln -s logs/new.log a.log; " + log("a.log"), 0, ""),
        ("ln -s logs/new.log a.log; " + log("a.log"), 78, "the directory does not exist"),
        (automatic + "mkdir -p var/dev/acme; " + log("var/dev/acme/../access.log"), 0, ""),
        (
            automatic + "mkdir -p var/dev/acme; " + log("var/dev/acme/lock"), 78,
            "is in the directory of automatic certificates \""
        ),
        (
            automatic + "mkdir -p var/dev/acme; touch var/dev/acme/lock; "
                + "ln -s var/dev/acme/lock a.log; " + log("a.log"), 78,
            "is in the directory of automatic certificates \""
        ),
        (automatic + "mkdir -p var/dev; " + log("var/dev/access.log"), 0, ""),
    ]

    private static let automatic =
        "sed -i 's/^    tls: .*/    tls: {automatic: {terms: agreed}}/; s/localhost/a.example/' "
        + "waymark.yaml; "

    private static func log(_ name: String, _ more: String? = nil) -> String {
        "echo '    log: {to: \(name)}' >> waymark.yaml"
            + (more.map { "; echo '    \($0)' >> waymark.yaml" } ?? "")
    }

    @Test("a log that would be written into another file is found", arguments: logs)
    func finds(_ command: String, log status: Int32, _ wanted: String) throws {
        try finds(command, status, wanted)
    }

    @Test("what must not be served is found, with its status", arguments: exposures)
    func finds(_ command: String, exposed status: Int32, _ wanted: String) throws {
        try finds(command, status, wanted)
    }
}
