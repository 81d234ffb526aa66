/// A request that this server refuses to interpret. The response ends the connection, because the
/// beginning of the next request is not known (RFC 9112 §2.2, §6.3).
package struct MessageError: Error, Hashable, Sendable {
    package let kind: Kind
    /// Bytes from the start of the message.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The fault of the message. Each case has one status.
    package enum Kind: Hashable, Sendable, CaseIterable {
        case malformedRequestLine, invalidMethod, invalidTarget, invalidPath
        case methodTooLong, targetTooLong, unsupportedVersion
        case lineNotEndedByCRLF, fieldLineWithoutColon, invalidFieldName, invalidFieldValue
        case foldedFieldLine, fieldSectionTooLarge, fieldLineTooLarge, tooManyFieldLines
        case missingHost, repeatedHost, invalidHost
        case invalidContentLength, repeatedContentLength, contentLengthWithTransferEncoding
        case transferEncodingBeforeHTTP11, unknownTransferCoding, chunkedNotFinal, repeatedChunked
        case invalidChunk, contentTooLarge, trailerTooLarge
        /// An HTTP request instead of a TLS handshake, even if the request has other faults.
        case notTLS
    }

    /// The status to answer with before closing.
    package var status: Status {
        switch kind {
        case .targetTooLong: .uriTooLong
        case .unsupportedVersion: .versionNotSupported
        case .fieldSectionTooLarge, .fieldLineTooLarge, .tooManyFieldLines, .trailerTooLarge:
            .fieldsTooLarge
        case .methodTooLong, .unknownTransferCoding: .notImplemented
        case .contentTooLarge: .contentTooLarge
        default: .badRequest
        }
    }
}

extension MessageError.Kind {
    /// The name of the fault in the access log.
    package var name: StaticString {
        switch self {
        case .malformedRequestLine: "malformed_request_line"
        case .invalidMethod: "invalid_method"
        case .invalidTarget: "invalid_target"
        case .invalidPath: "invalid_path"
        case .methodTooLong: "method_too_long"
        case .targetTooLong: "target_too_long"
        case .unsupportedVersion: "unsupported_version"
        case .lineNotEndedByCRLF: "line_not_ended_by_crlf"
        case .fieldLineWithoutColon: "field_line_without_colon"
        case .invalidFieldName: "invalid_field_name"
        case .invalidFieldValue: "invalid_field_value"
        case .foldedFieldLine: "folded_field_line"
        case .fieldSectionTooLarge: "field_section_too_large"
        case .fieldLineTooLarge: "field_line_too_large"
        case .tooManyFieldLines: "too_many_field_lines"
        case .missingHost: "missing_host"
        case .repeatedHost: "repeated_host"
        case .invalidHost: "invalid_host"
        case .invalidContentLength: "invalid_content_length"
        case .repeatedContentLength: "repeated_content_length"
        case .contentLengthWithTransferEncoding: "content_length_with_transfer_encoding"
        case .transferEncodingBeforeHTTP11: "transfer_encoding_before_http11"
        case .unknownTransferCoding: "unknown_transfer_coding"
        case .chunkedNotFinal: "chunked_not_final"
        case .repeatedChunked: "repeated_chunked"
        case .invalidChunk: "invalid_chunk"
        case .contentTooLarge: "content_too_large"
        case .trailerTooLarge: "trailer_too_large"
        case .notTLS: "not_tls"
        }
    }
}
