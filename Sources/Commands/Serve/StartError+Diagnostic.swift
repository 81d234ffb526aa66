import ArgumentParser
import Diagnostics
import Origin
import Sockets

extension Diagnostic {
    /// The system does not provide what a start needs.
    static func cannotStart(because error: some Error & CustomStringConvertible) -> Diagnostic {
        Diagnostic(
            .error, .start, at: nil, "cannot start: \(error)",
            advice: (error as? SystemError)?.threadAdvice)
    }
}

extension StartError {
    /// The message for the operator, with advice.
    var diagnostic: Diagnostic {
        if let name = inherited {
            return fault(
                .socketKind, "inherited socket \(quoted(name)) cannot be used: \(error)",
                "it must be a listening TCP socket")
        }
        guard let address else { return .cannotStart(because: error) }
        if error.isAddressInUse {
            return fault(
                .addressInUse, "\(address) is in use by another process",
                "stop that process (ss -ltnp shows it), or use another address")
        }
        if error.isPermissionDenied {
            return fault(
                .privilegedPort, "no permission to listen on \(address)",
                "ports below 1024 need CAP_NET_BIND_SERVICE; use a higher port, or map the port")
        }
        if error.isAddressUnavailable {
            return fault(
                .addressNotHere, "no interface of this machine has the address \(address)",
                "use an address of this machine (ip address), or only the port")
        }
        return fault(.listen, "cannot listen on \(address): \(error)")
    }

    var status: ExitCode {
        if inherited != nil { return .cannotBind }
        guard address != nil else { return .ourFault }
        return error.isPermissionDenied && !error.isAddressInUse ? .noPermission : .cannotBind
    }

    private func fault(_ rule: RuleName, _ message: String, _ advice: String? = nil) -> Diagnostic {
        Diagnostic(.error, rule, at: nil, message, advice: advice)
    }
}
