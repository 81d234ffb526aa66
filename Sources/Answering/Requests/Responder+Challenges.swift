package import Files
package import HTTPMessages
import SiteConfiguration

// MARK: - What answers wait for

extension Responder {
    /// Looks for what an answer waits for. This is the only place where a request reaches the file
    /// system: a client of a certificate authority asks for a token of safe characters, once in
    /// weeks.
    package func find(_ inquiry: Inquiry) throws(FileError) -> Document {
        switch inquiry {
        case .handled: throw .missing
        case .challenge(let token):
            guard let webroot = site.source.acmeWebroot else { throw .missing }
            do throws(FileError) {
                let file = try readFile(
                    challengeDirectory + [token], directlyBeneath: webroot.path,
                    bytesMax: site.limits.challengeBytesMax)
                return Document(type: "application/octet-stream", body: file.bytes)
            } catch .missing {
                guard let answer = keyAuthorization(token) else { throw .missing }
                return answer
            }
        }
    }

    /// The answer to a challenge of the account that requests the site's certificates (RFC 8555
    /// §8.3). It needs no state, so any origin with the account's key can answer for any other; it
    /// is only of use for who can begin an order with that key. A token has no other characters than
    /// those of base64url, and the type keeps browsers from reading anything else into the answer.
    func keyAuthorization(_ token: String) -> Document? {
        site.source.accountThumbprint.map { thumbprint in
            Document(
                type: "text/plain", body: Array("\(token).\(thumbprint)".utf8),
                fields: Array("X-Content-Type-Options: nosniff\r\n".utf8))
        }
    }
}

extension Status {
    /// The answer where something cannot be found. Where reading fails for a reason that passes, it
    /// is 503 and not 404: after a 404 the certificate authority cancels the order.
    package init(of error: FileError) {
        switch error {
        case .noPermission: self = .forbidden
        case .outOfDescriptors, .failed, .changed: self = .serviceUnavailable
        // What is no file, or a link, is nothing that is answered with here.
        case .missing, .notARegularFile, .tooLarge, .leadsOut, .readOnlyFileSystem, .closed, .taken,
            .readerGone, .system:
            self = .notFound
        }
    }
}

/// The directory below its webroot in which an ACME client puts tokens (RFC 8555 §8.3).
package let challengeDirectory = [".well-known", "acme-challenge"]
