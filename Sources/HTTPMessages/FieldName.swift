/// The fields that this origin acts on; all others are checked for syntax and passed over.
package enum FieldName: UInt8, Sendable, CaseIterable {
    case other
    case accept, acceptEncoding, acceptLanguage, connection, contentLength, expect, host
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case range, referer, transferEncoding, userAgent
    /// Who asks, as proxies tell it (RFC 7239, and what was there before).
    case forwarded, forwardedFor, forwardedProto
    /// What a request is called in logs and traces.
    case requestIdentifier, traceParent

    /// Its place in a set of names.
    var bit: UInt32 { 1 &<< UInt32(rawValue) }

    /// How the field is written in lower case; empty for `other`.
    package var text: String {
        switch self {
        case .other: ""
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .acceptLanguage: "accept-language"
        case .connection: "connection"
        case .contentLength: "content-length"
        case .expect: "expect"
        case .host: "host"
        case .ifMatch: "if-match"
        case .ifModifiedSince: "if-modified-since"
        case .ifNoneMatch: "if-none-match"
        case .ifRange: "if-range"
        case .ifUnmodifiedSince: "if-unmodified-since"
        case .range: "range"
        case .referer: "referer"
        case .transferEncoding: "transfer-encoding"
        case .userAgent: "user-agent"
        case .forwarded: "forwarded"
        case .forwardedFor: "x-forwarded-for"
        case .forwardedProto: "x-forwarded-proto"
        case .requestIdentifier: "x-request-id"
        case .traceParent: "traceparent"
        }
    }
}
