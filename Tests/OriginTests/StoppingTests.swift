import TestSupport
import Glibc
import Origin
import Testing

@Suite("While the origin stops")
struct StoppingTests {
    /// With several loops, the one that listens for those who ask may have nothing else to do.
    @Test(
        "the admin listener answers as long as a request is in flight, on any loop",
        arguments: [1, 8])
    func admin(loops: Int) throws {
        let origin = try TestOrigin(loops: loops)
        var clients = try (0..<8).map { _ in
            let client = try TestClient(port: origin.httpPort)
            client.send("GET /apple-app-site-association HTTP/1.1\r\nHo")
            return client
        }
        let keptAlive = try TestClient(port: origin.adminPort)
        #expect(try keptAlive.get("/readyz").status == 200)
        origin.server.beginStop()
        #expect(waits { TestClient.isRefused(port: origin.httpPort) })
        #expect(throws: ClientError.self) { try TestClient(port: origin.httpPort) }
        let last = try keptAlive.get("/readyz")
        #expect(last.status == 503 && last.fields["connection"] == "close")
        while let client = clients.popLast() {
            for (path, status) in [("/livez", 200), ("/readyz", 503), ("/metrics", 200)] {
                let admin = try TestClient(port: origin.adminPort)
                #expect(try admin.get(path).status == status)
            }
            client.send("st: localhost\r\n\r\n")
            #expect(try client.readResponse().status == 200)
            #expect(client.isClosed())
            // Longer than a loop takes to see that it has nothing left to do.
            usleep(100_000)
        }
        origin.server.stop()
        #expect(throws: ClientError.self) { try TestClient(port: origin.adminPort) }
    }

    @Test func `a request whose content comes while the origin stops is its connection's last`()
        throws
    {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        client.send(
            "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 2\r\n\r\n1")
        let other = try TestClient(port: origin.httpPort)
        #expect(try other.get("/apple-app-site-association").fields["connection"] == nil)
        origin.server.beginStop()
        #expect(waits { TestClient.isRefused(port: origin.httpPort) })
        client.send("2")
        let answer = try client.readResponse()
        #expect(answer.status == 200 && answer.fields["connection"] == "close")
        #expect(client.isClosed())
    }

    @Test func `who only asks how it is does not keep it from stopping`() throws {
        let origin = try TestOrigin(loops: 2)
        do {
            let client = try TestClient(port: origin.adminPort)
            #expect(try client.get("/readyz").status == 200)
            origin.server.beginStop()
            #expect(client.isClosed())
        }
        origin.server.stop()
        #expect(throws: ClientError.self) { try TestClient(port: origin.adminPort) }
    }
}
