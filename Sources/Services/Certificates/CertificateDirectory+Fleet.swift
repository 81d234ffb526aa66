import Certificates
import Files

extension CertificateDirectory {
    var fleetFile: String { "\(root)/fleet.json" }

    /// The words of the process that looks after the certificates about the turns of its fleet, a line each, and whether
    /// something keeps it from one; nil if it has said nothing.
    /// - Parameter next: the host whose certificate is due first, and the time of that.
    package func fleetWords(
        next: (host: String, time: String, isOver: Bool)?
    ) -> (lines: [String], isFault: Bool)? {
        let due = next.map { FleetNote.Due(host: $0.host, time: $0.time, isOver: $0.isOver) }
        return (try? readFile(fleetFile, bytesMax: 65_536))
            .flatMap { FleetNote(json: $0.bytes) }
            .map { ($0.words(next: due), $0.fault != nil) }
    }
}
