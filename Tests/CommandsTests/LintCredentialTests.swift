import Foundation
import Testing

@Suite("waymark lint --env, of files that are no PEM")
struct LintCredentialTests {
    /// What makes such a file of the key or the certificate, what it is called, and, if there is
    /// one, the beginning of the command that mends it.
    static let forms: [(String, String, String?)] = [
        (": > certs/dev.key", "it is empty", nil),
        (
            "openssl pkey -in certs/dev.key -outform DER -out x; mv x certs/dev.key",
            "it is a private key in DER form", "openssl pkey -inform DER"
        ),
        (
            "openssl ec -in certs/dev.key -outform DER -out x; mv x certs/dev.key",
            "it is a private key in DER form", "openssl pkey -inform DER"
        ),
        (
            "openssl pkcs8 -topk8 -in certs/dev.key -outform DER -passout pass:x -out x; "
                + "mv x certs/dev.key", "it is an encrypted private key in DER form",
            "openssl pkcs8 -passin pass:x -inform DER"
        ),
        (
            "openssl pkcs8 -topk8 -in certs/dev.key -passout pass:x -out x; mv x certs/dev.key",
            "the private key is encrypted", "openssl pkey -passin pass:x"
        ),
        (
            "openssl pkcs12 -export -in certs/dev.pem -inkey certs/dev.key -passout pass:x "
                + "-out x; mv x certs/dev.key", "it is PKCS#12",
            "openssl pkcs12 -passin pass:x"
        ),
        ("cp certs/dev.pem certs/dev.key", "it is a certificate", nil),
        (
            "openssl pkey -in certs/dev.key -pubout -out x; mv x certs/dev.key",
            "it is a public key", nil
        ),
        (
            "openssl ecparam -name prime256v1 -out certs/dev.key",
            "it is the parameters of a key, without the key", nil
        ),
        ("sed -i 2s/./!/ certs/dev.key", "the private key is damaged: ", nil),
        ("sed -i 1d certs/dev.key", "it is text without a line -----BEGIN", nil),
        ("head -c 100 /dev/zero > certs/dev.key", "it is binary", nil),
        (
            "openssl x509 -in certs/dev.pem -outform DER -out x; mv x certs/dev.pem",
            "it is a certificate in DER form", "openssl x509 -inform DER"
        ),
        (
            "openssl pkcs12 -export -in certs/dev.pem -inkey certs/dev.key -passout pass:x "
                + "-out x; mv x certs/dev.pem", "it is PKCS#12",
            "openssl pkcs12 -passin pass:x"
        ),
        (
            "openssl crl2pkcs7 -nocrl -certfile certs/dev.pem -out x; mv x certs/dev.pem",
            "it is PKCS#7", "openssl pkcs7"
        ),
        ("cp certs/dev.key certs/dev.pem", "it is a private key", nil),
        ("sed -i 2s/./!/ certs/dev.pem", "the certificate is damaged", nil),
    ]

    @Test(
        "only a private key is warned of as readable, and swapped files are one finding",
        arguments: [
            ("true", ["key-readable-by-all"]),
            (
                "mv certs/dev.key x; mv certs/dev.pem certs/dev.key; mv x certs/dev.pem",
                ["unusable-certificate"]
            ),
            ("cp certs/dev.pem certs/dev.key", ["unusable-certificate"]),
            (
                "openssl pkey -in certs/dev.key -pubout -out x; mv x certs/dev.key",
                ["unusable-certificate"]
            ),
            (": > certs/dev.key", ["unusable-certificate"]),
            (
                "openssl pkey -in certs/dev.key -outform DER -out x; mv x certs/dev.key",
                ["unusable-certificate", "key-readable-by-all"]
            ),
        ])
    func readable(_ command: String, _ rules: [String]) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            try run("{ \(command) ; } 2>/dev/null; chmod 644 certs/*", in: directory)
            let outcome = try Program.run("lint", path, "--env", "dev")
            let found = outcome.output.matches(of: /\[([a-z-]+)\]/).map { String($0.output.1) }
            #expect(Set(found).subtracting(["only-root"]) == Set(rules), "\(outcome.output)")
        }
    }

    @Test("says what a file looks like, and the command that converts it", arguments: forms)
    func says(_ command: String, _ words: String, _ conversion: String?) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: directory.appending(path: "Public"), withIntermediateDirectories: true)
            try run("{ \(command) ; } 2>/dev/null", in: directory)
            let outcome = try Program.run("lint", path, "--env", "dev")
            #expect(outcome.status == 78, "\(outcome.output)")
            #expect(outcome.output.contains(words), "\(outcome.output)")
            guard let conversion else { return }
            // What it advises is done, with the password that it would ask for.
            let advice = try #require(outcome.output.firstMatch(of: /: (openssl [^\n]*) -out NEW/))
            let plain = conversion.replacing("-passin pass:x ", with: "")
                .replacing("-passin pass:x", with: "")
            #expect(advice.output.1.hasPrefix(plain), "\(outcome.output)")
            let rest = advice.output.1.dropFirst(plain.count)
            let file =
                words.contains("certificate in") || command.hasSuffix("dev.pem")
                ? "certs/dev.pem" : "certs/dev.key"
            try run("\(conversion) \(rest) -out NEW 2>/dev/null && mv NEW \(file)", in: directory)
            let mended = try Program.run("lint", path, "--env", "dev")
            #expect(mended.status == 0, "\(mended.output)")
        }
    }

    private func run(_ command: String, in directory: URL) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.currentDirectoryURL = directory
        try shell.run()
        shell.waitUntilExit()
    }

    @Test(
        "a program for records in DNS is named with what it lacks",
        arguments: [
            ("true", "the file does not exist", "install it, or correct the path"),
            ("touch program", "this user has no permission to execute it", "run chmod +x"),
            ("mkdir program", "it is not a regular file", "name a program"),
            ("printf '#!/bin/sh\\n' > program; chmod +x program", nil, nil),
            ("cp /bin/true program", nil, nil),
            (
                "printf 'set -e\\n' > program; chmod +x program",
                "it is text without an interpreter", "begin it with a line such as #!/bin/sh"
            ),
            (
                "printf '#!/bin/sh\\r\\n' > program; chmod +x program",
                "its first line ends with a carriage return", "save it with line feeds alone"
            ),
            (
                "printf '#!/none/sh\\n' > program; chmod +x program",
                "its interpreter \"/none/sh\": the file does not exist", "install that"
            ),
        ] as [(String, String?, String?)])
    func program(_ commands: String, _ fact: String?, _ cure: String?) throws {
        try inScratchDirectory { directory in
            let text = """
                version: 1
                apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}
                links: {open: {match: "/open/*"}}
                environments:
                  prod:
                    hosts: [www.links.example, "*.links.example"]
                    tls: {automatic: {terms: agreed, hosts: "*.links.example", dns: {program: program}}}
                    publish: {app: [open]}

                """
            try Data(text.utf8).write(to: directory.appending(path: "waymark.yaml"))
            _ = shellOutput("cd \(directory.path); \(commands)")
            let lint = try Program.run(["lint", "--env", "prod", "waymark.yaml"], in: directory)
            let found = lint.output.contains("cannot be run: \(fact ?? "")")
            #expect(found == (fact != nil), "\(lint)")
            if let cure { #expect(lint.output.contains(cure), "\(lint)") }
        }
    }
}
