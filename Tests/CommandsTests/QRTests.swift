import Foundation
import TestSupport
import Testing

@Suite("waymark qr")
struct QRTests {
    private let link = "https://shop.example/auto-verkaufen"

    @Test(
        "a code is written in the format that is asked for",
        arguments: [
            ("svg", "<svg xmlns"), ("terminal", "\u{1B}[38;5;16;48;5;231m"),
        ])
    func texts(_ format: String, _ start: String) throws {
        let outcome = try Program.run("qr", link, "--format", format)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix(start))
        #expect(outcome.messages == "")
    }

    @Test(
        "the extension of the file is the format",
        arguments: [
            ("code.png", [0x89, 0x50, 0x4E, 0x47]), ("code.PDF", Array("%PDF".utf8)),
            ("code.svg", Array("<svg".utf8)),
        ])
    func files(_ name: String, _ start: [UInt8]) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: name)
        let outcome = try Program.run("qr", link, "--output", file.path)
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.output == "")
        #expect(try Array(Data(contentsOf: file).prefix(4)) == start)
    }

    @Test(
        "what would not scan, or cannot be written, is refused with its limit",
        arguments: [
            (["--margin", "3"], "--margin has 3 modules, must have 4 to 40"),
            (["--format", "svg", "--size", "10"], "must have 0.33 mm; give at least"),
            (["--format", "png", "--size", "100"], "less than 3 pixels for each of"),
            (["--format", "png", "--size", "10001"], "--size is 10001 pixels, may be 10000"),
            (["--format", "pdf", "--size", "5001"], "--size is 5001 mm, may be 5000"),
            (["--format", "terminal", "--size", "9"], "--size is for svg, png and pdf"),
            (["--format", "png", "--logo", "a.png"], "png cannot contain a logo"),
            (["--format", "svg", "--logo-size", "9"], "--logo-size needs --logo"),
            (["--output", "code.gif"], "does not end in .svg, .png or .pdf"),
            ([], "standard output is not a terminal; give --format"),
            (["--format", "svg", "--config", "waymark.yaml"], "--config needs --env"),
            (["--format", "pdf", "-o", "a.svg"], "--format is pdf, but \"a.svg\" ends in .svg"),
            (["--format", "png", "-o", "a.jpg"], "--format is png, but \"a.jpg\" ends in .jpg"),
            (["--format", "svg", "--size", "40mm"], "write 40: a number of millimetres for svg"),
            (["--format", "svg", "--size", "large"], "write a number of millimetres for svg"),
            (["--format", "svg", "--margin", "4mm"], "write 4: a number of modules"),
            (["--logo", "a.svg", "--logo-size", "20%"], "write 20: a number of percent"),
            (["--format", "svg", "--color", "red"], "a code has no colours: it is black on white"),
            (["--format", "svg", "--background", "red"], "a code has no colours"),
            (["--format", "svg", "--level", "x"], "Please provide one of 'L', 'M', 'Q' or 'H'"),
        ])
    func refusals(_ options: [String], _ message: String) throws {
        let outcome = try Program.run(["qr", link] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.messages.contains(message), "\(outcome.messages)")
    }

    @Test func `a link that is too long names the level that holds it`() throws {
        let long = "https://a.example/" + String(repeating: "a", count: 2400)
        let outcome = try Program.run("qr", long, "--format", "svg")
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains("can have 2331; use --level L"), "\(outcome.messages)")
        #expect(try Program.run("qr", long, "--format", "svg", "--level", "L").status == 0)
    }

    @Test func `a logo is embedded as it is, and one that a format cannot contain is refused`()
        throws
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let logo = directory.appending(path: "logo.svg")
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".replacing("/>", with: "></svg>")
        try Data(svg.utf8).write(to: logo)
        let outcome = try Program.run("qr", link, "--logo", logo.path, "--format", "svg")
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(
            outcome.output.contains(
                "data:image/svg+xml;base64," + Data(svg.utf8).base64EncodedString()))
        let refused = try Program.run("qr", link, "--logo", logo.path, "--format", "pdf")
        #expect(refused.status == 78)
        #expect(
            refused.messages.contains("cannot be part of a pdf: it is an SVG file\n    give a PNG"))
        let large = try Program.run(
            "qr", link, "--logo", logo.path, "--format", "svg", "--logo-size", "40")
        #expect(large.status == 64)
        #expect(large.messages.contains("give --logo-size"), "\(large.messages)")
    }

    @Test(
        "a link that people could not use is warned about",
        arguments: [
            ("https://elsewhere.example/x", "does not have host \"elsewhere.example\""),
            ("https://mobile.willhaben.at/no-such-link", "has no app that opens the link"),
            ("https://mobile.willhaben.at/auto-verkaufen", ""),
        ])
    func environments(_ link: String, _ warning: String) throws {
        let outcome = try Program.run("qr", link, "--format", "svg", "--env", "prod")
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(
            warning.isEmpty ? outcome.messages.isEmpty : outcome.messages.contains(warning),
            "\(outcome.messages)")
    }

    @Test func `characters beyond ASCII are encoded, and the fragment stays`() throws {
        let outcome = try Program.run("qr", "https://münchen.example/ü?x=ö#ä", "--format", "svg")
        #expect(
            outcome.output.contains(
                "<title>https://xn--mnchen-3ya.example/%C3%BC?x=%C3%B6#%C3%A4</title>"))
    }

    @Test func `letter case does not matter in a level and a format`() throws {
        let small = try Program.run("qr", link, "--format", "SVG", "--level", "h")
        #expect(small.status == 0, "\(small.messages)")
        let same = try Program.run("qr", link, "--format", "svg", "--level", "H")
        #expect(small.output == same.output)
    }

    @Test(
        "an output that cannot be written is named with the reason, and has the status 74",
        arguments: [
            ("/nonexistent/code.svg", "the directory does not exist"),
            ("/proc/code.svg", "No such file or directory"),
            ("/etc/passwd/code.svg", "Not a directory"),
        ])
    func unwritable(_ output: String, _ reason: String) throws {
        let outcome = try Program.run("qr", link, "--format", "svg", "--output", output)
        #expect(outcome.status == 74)
        #expect(
            outcome.messages
                == "waymark: error: \"\(output)\" cannot be written: \(reason)\n")
    }

    @Test func `a pipe and the target of a symbolic link are written to, and stay`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let pipe = directory.appending(path: "pipe.svg").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
        #expect(try Program.run("qr", link, "-o", pipe).status == 0)
        #expect(reader.availableData.starts(with: Data("<svg".utf8)))
        for (target, status) in [("code.svg", 0), ("/dev/full", 74)] {
            let alias = directory.appending(path: "to-\(status).svg").path
            try FileManager.default.createSymbolicLink(
                atPath: alias, withDestinationPath: target)
            #expect(try Program.run("qr", link, "-o", alias).status == status)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: alias) == target)
        }
        let code = directory.appending(path: "code.svg")
        #expect(try Data(contentsOf: code).starts(with: Data("<svg".utf8)))
    }

    @Test(
        "a logo in another format is named with what it is, and how to convert it",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "is a JPEG picture"),
            (Array("GIF89a".utf8), "is a GIF picture"),
            ([0, 0, 0, 0x18] + Array("ftypavif".utf8), "is a HEIC or AVIF picture"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "is a damaged PNG file"),
            ([], "is empty"), (Array("text".utf8), "is neither an SVG document nor a PNG file"),
        ])
    func strangeLogo(_ content: [UInt8], _ kind: String) throws {
        let logo = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: logo) }
        try Data(content).write(to: logo)
        let outcome = try Program.run("qr", link, "--format", "svg", "--logo", logo.path)
        #expect(outcome.status == 78)
        #expect(
            outcome.messages == "waymark: error: the logo \"\(logo.path)\" \(kind)\n"
                + "    a logo is SVG or PNG: convert it, for example with "
                + "`magick FILE logo.png`\n")
    }

    /// `/dl/*` is a link that opens the app and leads on.
    private static let site = """
        version: 1
        apps: {shop: {ios: {id: W4X7K2M9QH.com.example.shop, store: 412366298}}}
        links:
          dl: {match: /dl/*, exclude: /dl/old/*, web: "https://www.example.com/{1}"}
          old: {match: /old, web: gone}
          bare: {match: /bare}
          short: {match: /s/*, stored: {destinations: www.example.com}}
        environments:
          test:
            hosts: [shop.example]
            tls: {certificate: a.pem, key: a.key}
            publish: {shop: [dl, bare, short]}
            store: links.db

        """

    @Test(
        "with an environment, a code whose link leads nowhere is named",
        arguments: [
            ("/dl/a", nil), ("/dl/old/a", "get 404 from"), ("/nothing", "get 404 from"),
            ("/old", "get 410 from"), ("/bare", "get 404 from"),
            ("/s/abc", "--admin asks a running origin"),
        ])
    func leadsNowhere(_ path: String, _ warning: String?) throws {
        let outcome = try withConfiguration(Self.site) { file in
            try Program.run(
                "qr", "https://shop.example\(path)", "--format", "svg", "--config", file, "--env",
                "test")
        }
        #expect(outcome.status == 0 && outcome.output.hasPrefix("<svg"))
        if let warning {
            #expect(outcome.messages.contains("warning: "), "\(outcome.messages)")
            #expect(outcome.messages.contains(warning), "\(outcome.messages)")
        } else {
            #expect(outcome.messages == "")
        }
    }

    @Test func `a running origin says whether the slug of a code exists`() throws {
        let site = try StoreSite()
        _ = try site.create(
            "--collection", "short", "--slug", "spring", "https://www.example.com/a")
        func messages(_ slug: String) throws -> String {
            let outcome = try site.run(
                "qr", "https://localhost/s/\(slug)", "--format", "svg", "--env", "test")
            #expect(outcome.status == 0 && outcome.output.hasPrefix("<svg"), "\(outcome.messages)")
            return outcome.messages
        }
        #expect(try messages("spring") == "")
        #expect(try messages("sprnig").contains("warning: no stored link has this slug"))
    }
}
