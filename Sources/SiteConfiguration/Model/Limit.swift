package import Diagnostics

/// A limit of the running origin that an environment can set, under `limits`, by the name that is
/// its raw value. The schema, the reader's messages and the origin's values come from this table,
/// and a test compares `docs/limits.md` with it.
package enum Limit: String, CaseIterable, Hashable, Sendable {
    case targetBytes = "target-bytes"
    case headerLineBytes = "header-line-bytes"
    case headerBytes = "header-bytes"
    case headerCount = "header-count"
    case bodyBytes = "body-bytes"

    case handshakeSeconds = "handshake-seconds"
    case headerSeconds = "header-seconds"
    case bodySeconds = "body-seconds"
    case bodyRate = "body-bytes-per-second"
    case writeSeconds = "write-seconds"
    case writeRate = "write-bytes-per-second"
    case idleSeconds = "idle-seconds"
    case drainDelaySeconds = "drain-delay-seconds"
    case drainSeconds = "drain-seconds"

    case requestsPerConnection = "requests-per-connection"
    case connections
    case connectionsPerAddress = "connections-per-address"
    case prefixBits = "ipv6-prefix-bits"
    case logQueueBytes = "log-queue-bytes"
    case memoryFileBytes = "memory-file-bytes"
    case memoryFilesBytes = "memory-files-bytes"
    case linkBytes = "link-bytes"

    /// The default.
    package var usual: Int { row.usual }
    /// The values that a configuration can set.
    package var range: ClosedRange<Int> { row.range }
    /// Whether a change needs a restart.
    package var isFixedAtStart: Bool {
        switch self {
        case .connections, .logQueueBytes: true
        default: false
        }
    }
    /// In words for an editor's tooltip.
    var documentation: String { row.words }

    private var row: (usual: Int, range: ClosedRange<Int>, words: String) {
        switch self {
        case .targetBytes: (8192, 256...32_768, "The request-target; above it 414.")
        case .headerLineBytes: (8192, 256...65_535, "One field line of a request; above it 431.")
        case .headerBytes:
            (16_384, 1024...65_535, "Request line and field lines together; above it 431.")
        case .headerCount: (100, 10...256, "Field lines of a request; above it 431.")
        case .bodyBytes:
            (65_536, 0...16_777_216, "Content of a request; above it 413.")
        case .handshakeSeconds:
            (10, 1...300, "From accepting a connection to the end of its TLS handshake.")
        case .headerSeconds:
            (10, 1...300, "From a request's first byte to the end of its field lines; then 408.")
        case .bodySeconds:
            (60, 1...3600, "From the end of the field lines to the end of the content; then 408.")
        case .bodyRate:
            (
                512, 0...1_048_576,
                "Bytes of content that arrive each second, over 10 seconds; with fewer 408."
            )
        case .writeSeconds: (30, 1...3600, "How long the peer may take nothing of a response.")
        case .writeRate:
            (
                512, 0...1_048_576,
                "Bytes of a response that the peer takes each second, over write-seconds."
            )
        case .idleSeconds: (75, 1...3600, "Between two requests of a connection.")
        case .drainDelaySeconds:
            (
                5, 0...3600,
                "How long connections are accepted after an order to stop; 0 on a terminal."
            )
        case .drainSeconds:
            (10, 0...3600, "How long requests in flight may take after that.")
        case .requestsPerConnection:
            (10_000, 1...1_000_000_000, "Requests on one connection, after which it is closed.")
        case .connections:
            (10_000, 1...1_000_000, "Connections at once; above it 503. Changed by a restart.")
        case .connectionsPerAddress:
            (
                10_000, 1...1_000_000,
                "Connections at once from an IPv4 address or IPv6 network; above it 429."
            )
        case .prefixBits: (64, 16...128, "How many bits of an IPv6 address make a network.")
        case .logQueueBytes:
            (
                1_048_576, 65_536...1_073_741_824,
                "Lines of the access log that wait to be written, for each thread. Changed by a "
                    + "restart."
            )
        case .memoryFileBytes:
            (
                1_048_576, 0...67_108_864,
                "Public files up to this size are kept in memory; larger ones are read as they are "
                    + "sent."
            )
        case .memoryFilesBytes:
            (
                268_435_456, 0...17_179_869_184,
                "Public files in memory together; what has no room is read as it is sent."
            )
        case .linkBytes:
            (
                1_073_741_824, 65_536...1_099_511_627_776,
                "Memory of stored links; when they have it, no more are made: 507."
            )
        }
    }
}

/// The limits that an environment sets; all others are as usual.
package struct LimitSettings: Hashable, Sendable {
    private var values = [Limit: Int]()
    private var positions = [Limit: SourcePosition]()

    package init() {}

    /// The position of a limit in the configuration, or nil.
    package func position(of limit: Limit) -> SourcePosition? { positions[limit] }

    mutating func set(_ limit: Limit, to value: Int, at position: SourcePosition) {
        values[limit] = value
        positions[limit] = position
    }

    /// The configured value, or nil.
    package subscript(limit: Limit) -> Int? {
        get { values[limit] }
        set { values[limit] = newValue }
    }
}

extension LimitSettings {
    /// The maximum length of a request-target.
    var targetBytesMax: Int {
        let parts = [Limit.targetBytes, .headerBytes]
        return parts.map { self[$0] ?? $0.usual }.reduce(.max, min)
    }
}
