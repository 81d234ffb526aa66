import Foundation
import Testing

@Suite("waymark lint --env, which does what serve does before it binds")
struct LintEnvironmentTests {
    /// Makes a certificate as public authorities do, which says where its issuer's is.
    static let issueWithAccess =
        "printf '%s\\n' 'subjectAltName=DNS:localhost' "
        + "'authorityInfoAccess=caIssuers;URI:http://ca.example/ca.der' > x; "
        + "openssl req -new -key certs/dev.key -subj /CN=localhost | openssl x509 -req -days 30 "
        + "-CA certs/dev-ca.pem -CAkey certs/dev-ca.key -extfile x -out certs/dev.pem"

    /// Makes a certificate whose key is for these uses.
    private static func issue(for uses: String) -> String {
        "printf '%s\\n' 'subjectAltName=DNS:localhost' 'extendedKeyUsage=\(uses)' > x; "
            + "openssl req -new -key certs/dev.key -subj /CN=localhost "
            + "| openssl x509 -req -days 30 -CA certs/dev-ca.pem -CAkey certs/dev-ca.key "
            + "-extfile x -out certs/dev.pem"
    }

    /// A file of countries of 2023.
    private static let oldCountries =
        "AAABAAAAEgAAAgAAABIAAAAAAAAAAAAAAAAAAAAA4Udjb3VudHJ54Uhpc29fY29kZUJBVKvN701heE1pbmQuY29t5ltiaW5h"
        + "cnlfZm9ybWF0X21ham9yX3ZlcnNpb26hAktidWlsZF9lcG9jaAQCZVPxAE1kYXRhYmFzZV90eXBlQUNKaXBfdmVyc2lv"
        + "bqEESm5vZGVfY291bnTBAktyZWNvcmRfc2l6ZaEc"

    /// What a site has wrong with it, by the command line that makes it so, and what is said.
    static let faults: [(String, Int32, String)] = [
        ("true", 0, ""),
        (
            "chmod 644 certs/dev.key", 0,
            "warning: private key \"CERTS/dev.key\" has mode 0644, so every user"
        ),
        ("chmod 640 certs/dev.key", 0, ""),
        (
            "echo '    acme-webroot: acme' >> waymark.yaml", 0,
            "/acme\": the directory does not exist [acme-webroot]"
        ),
        (
            "touch acme; echo '    acme-webroot: acme' >> waymark.yaml", 0,
            "/acme\": it is not a directory [acme-webroot]"
        ),
        ("mkdir acme; echo '    acme-webroot: acme' >> waymark.yaml", 0, ""),
        ("echo '    log: {to: access.log}' >> waymark.yaml", 0, ""),
        ("echo '    watch: {authorities: certs/dev-ca.pem}' >> waymark.yaml", 0, ""),
        (
            "echo '    watch: {authorities: certs/dev.key}' >> waymark.yaml", 1,
            "the authorities of `watch` cannot be used, so no host is checked: "
        ),
        (
            "echo '    watch: {authorities: ca.pem}' >> waymark.yaml", 1,
            "the file does not exist [live-check]"
        ),
        (
            "echo '    log: {to: logs/access.log}' >> waymark.yaml", 78,
            "logs/access.log\" cannot be opened: the directory does not exist [access-log]"
        ),
        (
            "mkdir logs; echo '    log: {to: logs}' >> waymark.yaml", 78,
            "logs\" cannot be opened: "
        ),
        ("echo '    log: {to: logs/a, access: \"off\"}' >> waymark.yaml", 0, ""),
        ("echo '    store: links.db' >> waymark.yaml", 0, ""),
        ("mkdir var; echo '    store: var/links.db' >> waymark.yaml", 0, ""),
        (
            "echo '    store: var/links.db' >> waymark.yaml", 1,
            "var/links.db\" cannot be opened: the directory does not exist [link-store]"
        ),
        (
            "mkdir links; echo '    store: links' >> waymark.yaml", 1,
            "links\" is a directory, and not a file [link-store]"
        ),
        (
            "echo text > links.db; echo '    store: links.db' >> waymark.yaml", 1,
            "links.db\" is no store of links [link-store]"
        ),
        (
            "touch links.db; echo '    store: links.db' >> waymark.yaml", 0, ""
        ),
        (
            "echo \(oldCountries) | base64 -d > c.mmdb; printf '    store: links.db\\n    countries: "
                + "{file: c.mmdb}\\n' >> waymark.yaml", 0,
            "c.mmdb\" was built on 2023-11-14, more than 90 days ago [old-country-file]"
        ),
        (
            "rm certs/dev.key", 66,
            "error: private key \"CERTS/dev.key\" cannot be read: the file does not exist "
                + "[unreadable-file]"
        ),
        (
            "rm certs/dev.key", 66,
            "write the key of \"CERTS/dev.pem\" to this file, or set `key` to "
                + "its file"
        ),
        (
            "echo '    tls-tickets: [t.key]' >> waymark.yaml", 66,
            "create it: openssl rand -out \""
        ),
        ("rm -r Public", 0, ""),
        (
            "rm -r Public; echo '    public: Public' >> waymark.yaml", 66,
            "/Public\" cannot be read: the directory does not exist"
        ),
        (
            "rm -r Public; echo '    unmatched: /a.html' >> waymark.yaml", 66,
            "waymark.yaml:11:16: error: \"/a.html\" is a public file, but the public directory "
                + "\"SITE/Public\" does not exist"
        ),
        (
            "ln -s . Public/self", 78,
            "\"self\" in the public directory is a symbolic link to \".\", which contains it"
        ),
        (
            "mkdir -p Public/a/b; ln -s ../../a Public/a/b/up", 78,
            "\"a/b/up\" in the public directory is a symbolic link to \"a\", which contains it"
        ),
        ("mkdir -p Public/a/b; ln -s a/b Public/down; ln -s ../down Public/a/side", 0, ""),
        (
            "mkfifo Public/pipe", 0,
            "warning: \"pipe\" in the public directory is not served, because it is neither"
        ),
        (
            "mkfifo pipe Public/p; rm Public/p; mv pipe Public/p; ln -s p Public/link", 0,
            "warning: \"link\" in the public directory is not served"
        ),
        ("mkfifo Public/.pipe", 0, ""),
        (
            "mkdir Public/robots.txt", 0,
            "warning: \"robots.txt\" in the public directory is a directory, so it does not"
        ),
        ("mkdir -p Public/a/robots.txt", 0, ""),
        (
            "touch 'Public/a%41.html'", 0,
            "public file \"a%41.html\": its name contains an escape such as %41, which"
        ),
        (
            "touch 'Public/a\\b'", 0, "its name contains a backslash [unreachable-name]"
        ),
        (
            "mkdir logs; echo '    log: {to: Public}' >> waymark.yaml", 78,
            "set `log.to` to a file in another directory"
        ),
        (
            "ln -s nowhere Public/gone", 78,
            "\"gone\" in the public directory is a symbolic link to nothing [unreadable-file]"
        ),
        (
            "ln -s self Public/self", 78,
            "error: \"self\" in the public directory cannot be read: Too many levels of symbolic"
        ),
        ("ln -s nowhere Public/.lock; echo a > Public/a; ln -s a Public/b", 0, ""),
        (
            "rm certs/dev.pem", 66,
            "--env dev creates certs/dev.pem beside it"
        ),
        (
            "openssl req -new -key certs/dev.key -subj /CN=localhost | openssl x509 -req -days 30 "
                + "-CA certs/dev-ca.pem -CAkey certs/dev-ca.key -out certs/dev.pem", 78,
            "host \"localhost\"; it has no subjectAltName, and clients ignore the common name"
        ),
        (
            "echo 'site: {theme: themes}' >> waymark.yaml", 66,
            "/themes\" cannot be read: the directory does not exist [theme]"
        ),
        (
            "mkdir -p themes; ln -s /etc/hostname themes/x; "
                + "echo 'site: {theme: themes}' >> waymark.yaml", 78,
            "/themes\" cannot be read: \"x\" is a symbolic link out of it, to \"/etc/hostname\""
        ),
        (
            "mkdir -p themes; ln -s none themes/x; echo 'site: {theme: themes}' >> waymark.yaml",
            78,
            "/themes\" cannot be read: \"x\" is a symbolic link to nothing [theme]"
        ),
        (
            "mkdir -p themes; echo 'site: {theme: themes}' >> waymark.yaml; "
                + "echo '{{>none}}' > themes/footer.mustache", 78,
            "/themes/footer.mustache:1:1: error: the theme has no template \"none\" [theme]"
        ),
        (
            "printf '%s\\n' 'site:' '  texts: {en: {own: a}}' >> waymark.yaml", 0,
            "waymark.yaml:12:16: warning: no template shows the text \"own\" [theme]"
        ),
        ("openssl genpkey -algorithm RSA -out certs/dev.key", 78, "does not fit the certificate"),
        (
            "mkdir -p acme/.well-known real; ln -s ../../real acme/.well-known/acme-challenge; "
                + "echo '    acme-webroot: acme' >> waymark.yaml", 0,
            "is a symbolic link, which waymark does not follow for challenges"
        ),
        ("cat certs/dev-ca.key > certs/dev.pem", 78, "no certificate in PEM form"),
        (
            "cat certs/dev-ca.pem certs/dev-ca.pem certs/dev.pem > x; mv x certs/dev.pem; "
                + "cp certs/dev-ca.key certs/dev.key", 78,
            "certificate 2 of the chain is not signed by the next one"
        ),
        (
            "openssl x509 -in certs/dev.pem -signkey certs/dev.key -days 0 -out x; "
                + "mv x certs/dev.pem", 78,
            "certificate \"CERTS/dev.pem\" for localhost expired on "
        ),
        (
            "openssl x509 -in certs/dev.pem -signkey certs/dev.key -days 5 -out x; "
                + "mv x certs/dev.pem", 0,
            "warning: certificate \"CERTS/dev.pem\" for localhost expires on "
        ),
        (
            issueWithAccess, 0,
            "warning: \"CERTS/dev.pem\" contains only the host's certificate"
        ),
        ("\(issueWithAccess); cat certs/dev-ca.pem >> certs/dev.pem", 0, ""),
        (
            issue(for: "clientAuth"), 78,
            "the certificate's key usage does not allow TLS servers [unusable-"
        ),
        (issue(for: "clientAuth,serverAuth"), 0, ""), (issue(for: "codeSigning"), 78, "serverAuth"),
        (
            "sed '2s/./!/' certs/dev-ca.pem >> certs/dev.pem", 78,
            "certificate 2 of the chain is damaged"
        ),
        (
            "sed -i 's/\\[localhost\\]/[localhost, other.example]/' waymark.yaml", 78,
            "certificate \"CERTS/dev.pem\" does not cover host \"other.example\"; it covers "
                + "localhost"
        ),
        (
            "sed -i 's/\\[localhost\\]/[localhost, a.example, other.example]/' waymark.yaml", 78,
            "does not cover hosts \"a.example\", \"other.example\"; it covers localhost"
        ),
        (
            "cat certs/dev-ca.pem certs/dev.pem > x; mv x certs/dev.pem", 78,
            "the private key is that of certificate 2 in the file, but the host's certificate "
                + "must be the first"
        ),
        (
            "echo '    tls-tickets: [certs/dev.pem]' >> waymark.yaml", 78,
            "ticket key file \"CERTS/dev.pem\" has "
        ),
        (
            "mkdir -p Public/.well-known; echo '{}' > Public/.well-known/assetlinks.json", 78,
            "is in the public directory, from which association files are not served"
        ),
    ]

    /// What is written there would be read again for ever, and be public.
    @Test func `an origin whose output goes to a public file does not start`() throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let files = directory.appending(path: "Public")
            for stream in ["standardOutput", "standardError"] {
                let outcome = try Program.run(
                    ["serve", "--config", path, "--env", "dev", "--https", "192.0.2.1:8443"],
                    in: directory, writing: stream, to: files.appending(path: "out.txt"))
                let said = outcome.output + outcome.messages
                #expect(outcome.status == 78, "\(said)")
                #expect(said.contains("\"out.txt\", and would be served"), "\(said)")
            }
        }
    }

    @Test("what serve would refuse is found, with its status", arguments: faults)
    func finds(_ command: String, _ status: Int32, _ wanted: String) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: directory.appending(path: "Public"), withIntermediateDirectories: true)
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "{ \(command) ; } 2>/dev/null"]
            shell.currentDirectoryURL = directory
            try shell.run()
            shell.waitUntilExit()
            let outcome = try Program.run("lint", path, "--env", "dev")
            let output = outcome.output.replacing("\(directory.path)/certs/", with: "CERTS/")
                .replacing(directory.path, with: "SITE")
            #expect(outcome.status == status, "\(output)")
            #expect(output.contains(wanted) || wanted.isEmpty, "\(output)")
            // What it always says of so small a site.
            let others = output.split(separator: "\n").filter {
                $0.contains(": warning: ") && !$0.contains("[only-root]")
            }
            #expect(others.isEmpty || !wanted.isEmpty, "\(output)")
            let log = directory.appending(path: "access.log").path
            #expect(!FileManager.default.fileExists(atPath: log))
            // The start says the same; one that would go well ends at an address that this machine
            // does not have.
            if !wanted.isEmpty {
                // A host without a certificate keeps none of the others from being answered.
                // A start does not read public files: they are searched before they are sent.
                // Nor the authorities of the watch, nor the store, which a thread opens later.
                let isReadLater =
                    wanted.contains("[private-key-in-public]")
                    || wanted.contains("or a backup") || command.contains("watch:")
                    || command.contains("store:") && !wanted.contains("a file beside")
                let goesOn = status == 0 || wanted.contains("other.example") || isReadLater
                let address = goesOn ? "192.0.2.1:8443" : "127.0.0.1:0"
                let start = try Program.run(
                    "serve", "--config", path, "--env", "dev", "--https", address, "--http", "off",
                    "--admin", "off")
                #expect(start.status == (goesOn ? 71 : status))
                if isReadLater { return }
                #expect(
                    start.messages.replacing("\(directory.path)/certs/", with: "CERTS/")
                        .replacing(directory.path, with: "SITE").contains(wanted),
                    "\(start.messages)")
            }
        }
    }

    @Test func `a page is missed where all that is there is known`() throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let unmatched = "    unmatched: /none.html\n"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try (text + unmatched).write(toFile: path, atomically: true, encoding: .utf8)
            let files = directory.appending(path: "Public")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            let missing = try Program.run("lint", path, "--env", "dev").output
            #expect(missing.contains("page \"/none.html\" is not a file in "), "\(missing)")
            try FileManager.default.createSymbolicLink(
                atPath: files.appending(path: "gone").path, withDestinationPath: "nowhere")
            let dangling = try Program.run("lint", path, "--env", "dev").output
            #expect(dangling.contains("is a symbolic link to nothing"), "\(dangling)")
            #expect(!dangling.contains("missing-page"), "\(dangling)")
        }
    }

    @Test func `a page of a link is missed once, and what to do is said`() throws {
        let text = smallestConfiguration.replacing("match: /}", with: "match: /, web: /nope.html}")
        try withConfiguration(text) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            _ = try Program.run(["init", "--certificates-only"], in: directory)
            try FileManager.default.createDirectory(
                at: directory.appending(path: "Public"), withIntermediateDirectories: true)
            let output = try Program.run(["lint", "--env", "dev"], in: directory).output
            #expect(output.components(separatedBy: "[missing-page]").count == 2, "\(output)")
            #expect(output.contains("create \"Public/nope.html\", or name another page"))
        }
    }

    @Test func `without an environment nothing that only serve reads is opened`() throws {
        try withConfiguration(smallestConfiguration) { path in
            #expect(try Program.run("lint", path).status == 0)
            #expect(try Program.run("lint", path, "--env", "dev").status == 66)
            // What is suppressed does not count.
            let outcome = try Program.run(
                "lint", path, "--env", "dev", "--ignore", "unreadable-file")
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}
