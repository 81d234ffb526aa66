import Snapshots
import TestSupport
import Answering
import ClientAddress
import Diagnostics
import Glibc
import Origin
import SiteConfiguration
import Testing

@Suite("Public files that are sent from the disk")
struct FileOnDiskTests {
    /// Longer than one piece that is read, and than what the kernel takes of an answer.
    private static let bytes = 12 << 20
    /// Each line names its number, and the version of the file.
    private static func content(_ version: Int, _ count: Int = bytes) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity(count + 32)
        var line = 0
        while text.count < count {
            text += "\(version) \(line)\n".utf8
            line += 1
        }
        return Array(text.prefix(count))
    }

    private func makeOrigin(
        _ content: [UInt8], named name: String = "large.bin", keeping bytesMax: Int = 1000,
        limits: OriginLimits = .patient
    ) throws -> TestOrigin {
        try TestOrigin(
            { site, directory in
                site.proxies.trusted = AddressBlock.privateBlocks
                site.proxies.header = .forwardedFor
                site.limits[.memoryFileBytes] = bytesMax
                try directory.makeDirectory("Public")
                try directory.write("Public/\(name)", content)
            }, limits: limits)
    }

    private func request(_ fields: [String] = [], name: String = "large.bin") -> String {
        let lines = (fields + ["X-Forwarded-Proto: https"]).map { $0 + "\r\n" }.joined()
        return "GET /\(name) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n"
    }

    private func ask(
        _ origin: TestOrigin, _ fields: String..., name: String = "large.bin"
    ) throws -> TestResponse {
        let client = try TestClient(port: origin.httpPort)
        client.send(request(fields, name: name))
        return try client.readResponse()
    }

    /// The beginning of an answer that the client does not read on, and its connection.
    private func begin(_ origin: TestOrigin) throws -> TestClient {
        let client = try TestClient(port: origin.httpPort, receiveBytes: 8192)
        client.send(request())
        _ = try Samples(origin) { $0["waymark_connections{state=\"writing\"}"] == "1" }
        return client
    }

    @Test func `a part that begins or ends anywhere around a piece is that part`() throws {
        let content = Self.content(1, 300_000)
        let origin = try makeOrigin(content)
        let whole = try ask(origin)
        #expect(whole.status == 200 && Array(whole.body.utf8) == content)
        for first in [0, 1, 65_535, 65_536, 65_537, 131_072, 299_999] {
            for last in [first, 65_535, 65_536, 131_071, 131_072, 299_999] where last >= first {
                let part = try ask(origin, "Range: bytes=\(first)-\(last)")
                #expect(part.status == 206 && Array(part.body.utf8) == Array(content[first...last]))
            }
        }
    }

    @Test func `it is answered as one in memory is, but for the entity tag`() throws {
        let content = Self.content(1, 5000)
        let disk = try makeOrigin(content, named: "a.css")
        let memory = try makeOrigin(content, named: "a.css", keeping: 5000)
        let tags = try [disk, memory].map {
            try #require(try ask($0, name: "a.css").fields["etag"])
        }
        #expect(tags[0] != tags[1])
        for fields in [
            "X: y", "Range: bytes=-7", "Range: bytes=5000-", "Range: bytes=0-3, 900-902",
            "If-None-Match: TAG", "If-Match: \"x\"", "If-Range: TAG\r\nRange: bytes=9-",
            "If-Range: \"x\"\r\nRange: bytes=9-",
        ] {
            let answers = try zip([disk, memory], tags).map { origin, tag in
                try ask(
                    origin, fields.replacing("TAG", with: tag), name: "a.css")
            }
            #expect(answers[0].status == answers[1].status, "\(fields)")
            let bodies = zip(answers, tags).map { answer, tag in
                answer.body.replacing(tag.dropFirst().dropLast(), with: "")
            }
            #expect(bodies[0] == bodies[1], "\(fields)")
        }
    }

    @Test func `it is finished from the file that was there when its answer began`() throws {
        let content = Self.content(1)
        let origin = try makeOrigin(content)
        let client = try begin(origin)
        try origin.directory.write("Public/.next", Self.content(2))
        #expect(
            shell(
                "mv \(origin.directory.path)/Public/.next \(origin.directory.path)/Public/large.bin"
            )
            .status == 0)
        #expect(Array(try client.readResponse().body.utf8) == content)
        // For others too, as long as that file is open.
        #expect(Array(try ask(origin).body.utf8) == content)
    }

    @Test(
        "one that is changed in place while it is sent ends the connection",
        arguments: [
            "truncate -s 5000000", "truncate -s 0", "sh -c 'echo x >> \"$0\"'", "touch",
            // With the same size and the same time of its content.
            "sh -c 'touch -r \"$0\" \"$0\"-; printf x | dd of=\"$0\" bs=1 seek=9999999 "
                + "conv=notrunc 2>&-; touch -r \"$0\"- \"$0\"'",
        ])
    func changed(_ command: String) throws {
        let origin = try makeOrigin(Self.content(1))
        let client = try begin(origin)
        #expect(shell("\(command) \(origin.directory.path)/Public/large.bin").status == 0)
        #expect(throws: ClientError.self) { try client.readResponse() }
        let name = "waymark_http_responses_aborted_total{reason=\"error\"}"
        #expect(try Samples(origin) { $0[name] == "1" }[name] == "1")
    }

    @Test func `one that was removed while it is sent is finished`() throws {
        let content = Self.content(1)
        let origin = try makeOrigin(content)
        let client = try begin(origin)
        #expect(shell("rm \(origin.directory.path)/Public/large.bin").status == 0)
        #expect(Array(try client.readResponse().body.utf8) == content)
    }

    @Test(
        "another file at its path is sent before a snapshot has found it",
        arguments: ["cat next >large.bin", "mv next large.bin"], [true, false])
    func successor(_ command: String, _ wasOpen: Bool) throws {
        let origin = try makeOrigin(Self.content(1, 5000))
        let (old, new) = (Self.content(1, 5000), Self.content(2, 6000))
        if wasOpen { #expect(try ask(origin).body.utf8.elementsEqual(old)) }
        try origin.directory.write("Public/next", new)
        #expect(shell("cd \(origin.directory.path)/Public && \(command)").status == 0)
        let answer = try ask(origin)
        // A file that is open is the same until a snapshot has found the other one.
        let expected = wasOpen && command.hasPrefix("mv") ? old : new
        #expect(answer.status == 200 && answer.body.utf8.elementsEqual(expected))
        let tag = try #require(answer.fields["etag"])
        #expect(try ask(origin, "If-None-Match: \(tag)").status == 304)
        #expect(try ask(origin, "If-None-Match: \"x\"").fields["etag"] == tag)
        #expect(try ask(origin, "Range: bytes=5990-").status == (expected == new ? 206 : 416))
        #expect(shell("rm \(origin.directory.path)/Public/large.bin").status == 0)
        if !wasOpen { #expect([200, 404].contains(try ask(origin).status)) }
    }

    /// A key that is no key.
    private static let key =
        "-----BEGIN PRIVATE KEY-----\n" + String(repeating: "A", count: 64)
        + "\n-----END PRIVATE KEY-----\n"

    @Test(
        "a private key is not sent, wherever in a file it is and whatever part is asked for",
        arguments: [0, 65_530, 200_000], [1 << 20, 1000])
    func privateKey(_ position: Int, _ bytesMax: Int) throws {
        var content = Self.content(1, 250_000)
        content.replaceSubrange(position..<position, with: Self.key.utf8)
        let origin = try makeOrigin(content, keeping: bytesMax)
        let answers = [
            "bytes=\(position + 28)-\(position + 99)", "bytes=\(position)-", "bytes=0-",
        ].map { range in
            let client = try? TestClient(port: origin.httpPort)
            client?.send(request(["Range: \(range)", "Connection: close"]))
            return client?.readAll() ?? ""
        }
        for answer in answers { #expect(!answer.utf8.contains("AAAAAAAAAAAAAAAA".utf8)) }
        #expect(try ask(origin).status == 403)
        let findings = origin.foundInFiles.all
        #expect(findings.map(\.rule) == [.privateKeyInPublic])
    }

    @Test func `a file without such a key beside it is sent`() throws {
        var content = Self.content(1, 250_000)
        content.replaceSubrange(200_000..<200_000, with: "-----BEGIN PRIVATE KEY-----\n".utf8)
        let origin = try makeOrigin(content)
        #expect(try ask(origin).body.utf8.elementsEqual(content))
    }

    @Test func `as many are open at once as may be, and others wait for nothing`() throws {
        var limits = OriginLimits.patient
        limits.answering.openFilesMax = 1
        let origin = try TestOrigin(
            { site, directory in
                site.proxies.trusted = AddressBlock.privateBlocks
                site.proxies.header = .forwardedFor
                site.limits[.memoryFileBytes] = 0
                try directory.makeDirectory("Public")
                try directory.write("Public/large.bin", Self.content(1))
                try directory.write("Public/other.bin", Self.content(2, 5000))
            }, limits: limits)
        let client = try begin(origin)
        #expect(try ask(origin, name: "other.bin").status == 503)
        #expect(origin.foundInFiles.all.map(\.rule) == [.openFiles])
        #expect(try client.readResponse().status == 200)
        _ = try Samples(origin) { $0["waymark_connections{state=\"writing\"}"] == "0" }
        let other = try ask(origin, name: "other.bin")
        #expect(other.body.utf8.elementsEqual(Self.content(2, 5000)))
    }

    @Test func `it is closed with the last snapshot that has it`() throws {
        var path = ""
        do {
            let origin = try makeOrigin(Self.content(1, 5000))
            path = origin.directory.path
            #expect(try ask(origin).status == 200)
            #expect(shell("readlink /proc/\(getpid())/fd/* | grep -c \(path)/P").output == "2\n")
        }
        // A loop's thread frees what it shared when it has said that it ended.
        try wait {
            shell("readlink /proc/\(getpid())/fd/* | grep -c \(path)/P").output == "0\n"
        }
    }

    @Test func `one that has changed in place is sent with another entity tag`() throws {
        let origin = try makeOrigin(Self.content(1, 5000))
        let tag = try #require(try ask(origin).fields["etag"])
        #expect(shell("touch \(origin.directory.path)/Public/large.bin").status == 0)
        for _ in 0..<2 {
            let answer = try ask(origin, "If-None-Match: \(tag)")
            #expect(answer.status == 200 && answer.fields["etag"] != tag)
        }
    }

    @Test func `a file without content is sent from the disk, too`() throws {
        let origin = try makeOrigin(
            [], keeping: 0,
            limits: {
                var limits = OriginLimits.patient
                limits.answering.openFilesMax = 1
                return limits
            }())
        for _ in 0..<2 { #expect(try ask(origin).status == 200) }
    }

    @Test func `a file of a gibibyte is sent from where it is asked for`() throws {
        let origin = try makeOrigin([0x61], named: "other.bin", keeping: 0)
        let path = "\(origin.directory.path)/Public/other.bin"
        #expect(shell("truncate -s 5G \(path) && printf end >> \(path)").status == 0)
        let next = try TestOrigin { $0.publicDirectory = "\(origin.directory.path)/Public" }
        let bytes = next.snapshot.predict(
            Array(
                "GET /other.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=-5\r\n\r\n".utf8),
            isSecure: true)
        let answer = try #require(TestResponse(bytes, isHead: false))
        #expect(answer.body == "\0\0end")
        #expect(answer.fields["content-range"] == "bytes 5368709118-5368709122/5368709123")
    }
}
