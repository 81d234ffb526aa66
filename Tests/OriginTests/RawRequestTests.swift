import TestSupport
import Origin
import Testing

@Suite("Raw requests (RFC 9110, RFC 9112)")
struct RawRequestTests {
    @Test func `a request gets its status, in one piece and byte by byte`() throws {
        let origin = try TestOrigin()
        for request in RawRequest.all {
            let bytes = Array(request.text.utf8)
            try check(request, [bytes], origin)
            try check(request, bytes.map { [$0] }, origin)
        }
    }

    private func check(
        _ request: RawRequest, _ pieces: [[UInt8]], _ origin: TestOrigin
    ) throws {
        let client = try TestClient(port: origin.httpPort)
        for piece in pieces { client.send(piece) }
        for status in request.statuses {
            let response = try? client.readResponse(isHead: request.isHead)
            #expect(response?.status == status, "\(request)")
            if status == 405 || status == 204 {
                #expect(response?.fields["allow"] == "GET, HEAD, OPTIONS", "\(request)")
            }
        }
        guard !request.closes else {
            return #expect(client.isClosed(), "\(request)")
        }
        // Nothing is left over that would be taken for the next request, or for its response.
        client.send(RawRequest.get("Connection: close"))
        let next = try? client.readResponse()
        #expect(next?.status == 200 && client.isClosed(), "\(request)")
    }

    @Test func `every two requests that stay are answered one after the other`() throws {
        let origin = try TestOrigin()
        let stays = RawRequest.all.filter { !$0.closes }
        for (first, second) in zip(stays, stays.dropFirst() + [stays[0]]) {
            let client = try TestClient(port: origin.httpPort)
            client.send(first.text + second.text)
            for request in [first, second] {
                for status in request.statuses {
                    let response = try? client.readResponse(isHead: request.isHead)
                    #expect(response?.status == status, "\(first) then \(second)")
                }
            }
        }
    }
}
