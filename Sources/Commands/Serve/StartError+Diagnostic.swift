import ArgumentParser
import Diagnostics
import Origin
import Sockets

extension StartError {
    /// What the operator is told, and what there is to do.
    var diagnostic: Diagnostic {
        if let name = inherited {
            return fault(
                .socketKind, "inherited socket \(quoted(name)) cannot be used: \(error)",
                "it must be a listening TCP socket")
        }
        guard let address else { return fault(.start, "cannot start: \(error)") }
        if error.isAddressInUse {
            return fault(
                .addressInUse, "\(address) is in use by another process",
                "stop that one (ss -ltnp says which it is), or listen elsewhere")
        }
        if error.isPermissionDenied {
            return fault(
                .privilegedPort, "no permission to listen on \(address)",
                "ports below 1024 need CAP_NET_BIND_SERVICE; use a higher one, or map it")
        }
        if error.isAddressUnavailable {
            return fault(
                .addressNotHere, "no interface of this machine has the address of \(address)",
                "name one that it has (ip address), or the port alone")
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
