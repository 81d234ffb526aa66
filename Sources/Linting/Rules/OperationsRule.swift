/// The stable names of what an environment says to those who run it, and cannot mean.
package enum OperationsRule: String, CaseIterable, Sendable {
    case trustedStrangers = "trusted-strangers"
    case addressLimitBehindProxy = "address-limit-behind-proxy"
    case logFileName = "log-file-name"
    case canonicalLocalhost = "canonical-localhost"
    case hostAddress = "host-address"
}
