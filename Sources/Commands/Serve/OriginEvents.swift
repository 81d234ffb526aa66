import Diagnostics
import EventLog
import Logging
import Origin

extension OriginEvent {
    /// Tells it once when it begins, and once when it is over.
    func report(to events: Logger) {
        switch self {
        case .began(let shortage):
            events.report(
                Diagnostic(
                    .warning, shortage.rule, at: nil, shortage.fact, advice: shortage.advice),
                ["shortage": .string(shortage.rule)])
        case .ended(let shortage, let count):
            events.info(
                "no longer: \(shortage.fact); \(counted(count, "connection", was: "too many"))",
                metadata: [
                    "shortage": .string(shortage.rule), "turned_away": .stringConvertible(count),
                ])
        }
    }
}

extension Shortage {
    fileprivate var rule: String {
        switch self {
        case .connections: "connection-limit"
        case .address: "address-limit"
        case .descriptors: "out-of-descriptors"
        case .memory: "out-of-memory"
        }
    }

    fileprivate var fact: String {
        switch self {
        case .connections: "as many connections are open as may be"
        case .address: "an address has as many connections open as it may"
        case .descriptors: "no descriptor is left for new connections"
        case .memory: "no memory is left for new connections"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .connections:
            "others get 503, and association files; see waymark_connections, and limits.connections"
        case .address:
            "its others get 429, and association files; see outcome \"limited\" in the access log, "
                + "and limits.connections-per-address"
        case .descriptors:
            "those that are open are served; see process_open_fds, LimitNOFILE= and fs.file-max"
        case .memory:
            "those that are open are served; see process_resident_memory_bytes and tcp_mem"
        }
    }
}
