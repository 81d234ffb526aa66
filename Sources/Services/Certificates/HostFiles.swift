package import Certificates
package import Files
import SiteConfiguration
import TLS

/// The files that are kept of one host.
package struct HostFiles: Sendable {
    /// As certificates name it.
    let host: String
    package let certificate: String
    package let record: String
    package let key: String

    package init(_ directory: CertificateDirectory, _ host: AutomaticHost) {
        let orders = "\(directory.place(of: host.automatic))/orders/\(host.name.fileName)"
        self.init(
            host: host.name.description, certificate: directory.file(host.automatic, host.name),
            record: "\(orders).json", key: "\(orders).key")
    }

    package init(host: String, certificate: String, record: String, key: String) {
        (self.host, self.certificate) = (host, certificate)
        (self.record, self.key) = (record, key)
    }

    /// Whether a certificate may be there that cannot be read.
    package var areOutOfReach: Bool { writingObstacle(in: parentDirectory(of: certificate)) != nil }

    package func readRecord() -> HostRecord {
        (try? readFile(record, bytesMax: Self.recordBytesMax)).flatMap {
            HostRecord(json: $0.bytes)
        }
            ?? HostRecord()
    }

    /// More than is written now: an earlier version did not shorten what an authority has said.
    private static let recordBytesMax = 1 << 20

    /// The key of an order that is not finished.
    func readKey() -> SigningKey? {
        (try? readFile(key, bytesMax: CertificateDirectory.keyBytesMax)).flatMap {
            try? SigningKey(pem: $0.bytes)
        }
    }

    func write(key pem: [UInt8]) throws(FileError) { try keepFile(key, pem) }

    /// Puts a certificate in the place of the one before, with its key in the same step.
    package func write(key pem: [UInt8], chain: [UInt8]) throws(FileError) {
        try keepFile(certificate, pem + chain)
        removeFile(key)
    }
}
