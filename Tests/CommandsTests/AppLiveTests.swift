import Foundation
import TestSupport
import Testing

@Suite("waymark app with hosts that answer what nobody can read")
struct AppLiveTests {
    /// A server of files with TLS, which says its port first.
    private static let server = """
        import http.server, ssl, sys
        class Files(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words): pass
            extensions_map = {'.json': sys.argv[1]}
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Files)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('certs/dev.pem', 'certs/dev.key')
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// Runs the command beside a host with files, by their names below `/.well-known/`.
    /// - Parameter type: the media type of files of JSON.
    private func run(
        _ app: String, _ files: [String: String], type: String = "application/json"
    ) throws -> Program.Outcome {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        let directory = place.appending(path: ".well-known")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        let made = try Program.run(
            ["init", "--certificates-only", "--host", "shop.example.com"], in: place)
        try #require(made.status == 0, "\(made)")
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.server, type]
        process.currentDirectoryURL = place
        process.standardOutput = output
        try process.run()
        defer {
            // Threads of tests block SIGTERM, and so do their children.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return try runApp(
            [
                repository("Tests/Fixtures/app/files/\(app)"), "--live", "--authorities",
                "certs/dev-ca.pem", "--connect", "shop.example.com:127.0.0.1:\(port)",
            ], in: place)
    }

    /// A statement about a site, and no app.
    private static let statement = """
        [{"relation": ["delegate_permission/common.get_login_creds"], "target": {"namespace": "web",
        "site": "https://a.example"}}]
        """

    @Test(
        "the fault of a file is said", arguments: ["<html>", "{\"applinks\": {", "", "[1]", "{}"])
    func fault(_ text: String) throws {
        let name = "apple-app-site-association"
        let apple = try run("shop.ipa", [name: text])
        #expect(apple.status == 1, "\(apple)")
        // What is right and lists no app has no errors.
        let isRight = text == "{}"
        #expect(
            apple.messages.contains("https://shop.example.com/.well-known/\(name):1:")
                != isRight, "\(apple)")
        let other = isRight ? Self.statement : text
        let google = try run("shop.apk", ["assetlinks.json": other])
        #expect(
            google.messages.contains(
                "https://shop.example.com/.well-known/assetlinks.json:1:") != isRight, "\(google)")
    }

    /// A statement about an app, with the key of `shop.apk` or another one.
    private func statement(_ package: String, _ key: String? = nil) throws -> String {
        let keys = try String(
            contentsOfFile: repository("Tests/Fixtures/app/files/keys.txt"), encoding: .utf8)
        let own = keys.split(separator: "\n")[0]
        return """
            {"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace":
            "android_app", "package_name": "\(package)", "sha256_cert_fingerprints":
            ["\(key ?? String(own))"]}}
            """
    }

    @Test(
        "an app does not agree with a file whose answer check calls an error",
        arguments: [
            ("application/json", true, ": agrees\n", 0),
            (
                "text/plain", true,
                ": differs: \"shop.example.com\" publishes no file that is taken: /.well-known/assetlinks.json is "
                    + "not served as application/json (Content-Type: text/plain)", 1
            ),
            ("application/octet-stream", true, "[host-without-assetlinks]", 1),
            // The statement of another app has an error.
            (
                "application/json", false,
                ": cannot be known: the file of \"shop.example.com\" has an error", 0
            ),
        ] as [(String, Bool, String, Int32)])
    func answer(_ type: String, _ isRight: Bool, _ words: String, _ status: Int32) throws {
        let statements =
            try [statement("com.example.shop")] + (isRight ? [] : [statement("a.b", "zz")])
        let file = "[\(statements.joined(separator: ","))]"
        let outcome = try run("shop.apk", ["assetlinks.json": file], type: type)
        #expect(outcome.output.contains(words) && outcome.status == status, "\(outcome)")
    }
}
