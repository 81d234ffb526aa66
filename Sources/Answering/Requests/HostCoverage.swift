/// The hosts that a connection may ask for, as its certificate knows them.
package protocol HostCoverage: AnyObject, Sendable {
    /// Whether clients accept the certificate for a host.
    /// - Parameter host: in lower case, without the full stop that may end it.
    func covers(_ host: [UInt8], _ range: Range<Int>) -> Bool
}
