import Answering
import TLS

extension ServerCertificate: HostCoverage {
    func covers(_ host: [UInt8], _ range: Range<Int>) -> Bool { names.cover(host, range) }
}
