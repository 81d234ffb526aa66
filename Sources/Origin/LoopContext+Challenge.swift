import Files
import HTTPMessages
import SiteConfiguration
import Sockets

// The only request that reaches the file system: a client of the certificate authority asks for a
// token of safe characters, once in weeks.

extension LoopContext {
    /// Answers with the token's file. One that could not be read now is not told to be missing:
    /// the authority would give the order up.
    mutating func challengeAnswer(_ token: Range<Int>, isHead: Bool) -> Answer {
        guard let webroot = snapshot.environment.acmeWebroot else {
            return .status(.notFound, isHead: isHead)
        }
        let name = String(decoding: path[token], as: UTF8.self)
        do {
            return .challenge(try readChallenge(name, webroot.path), isHead: isHead)
        } catch {
            return .status(Status(of: error), isHead: isHead)
        }
    }

    /// Reads the file; where there is no descriptor left, by giving up the reserve meanwhile.
    private mutating func readChallenge(
        _ name: String, _ webroot: String
    ) throws(FileError) -> [UInt8] {
        let (path, bytesMax) = (challengeDirectory + [name], limits.challengeBytesMax)
        do {
            return try readFile(path, directlyBeneath: webroot, bytesMax: bytesMax).bytes
        } catch {
            guard case .outOfDescriptors = error, reserve.release() else { throw error }
        }
        defer { reserve.restore() }
        return try readFile(path, directlyBeneath: webroot, bytesMax: bytesMax).bytes
    }
}

extension Status {
    fileprivate init(of error: FileError) {
        switch error {
        case .noPermission: self = .forbidden
        case .outOfDescriptors, .failed, .changed: self = .serviceUnavailable
        // What is no file, or a link, is nothing that is answered with here.
        case .missing, .notARegularFile, .tooLarge, .leadsOut, .readOnlyFileSystem, .closed,
            .readerGone, .system:
            self = .notFound
        }
    }
}

/// Where an ACME client puts tokens below its webroot (RFC 8555 §8.3).
let challengeDirectory = [".well-known", "acme-challenge"]
