private import CYAML

/// Reads a text as YAML 1.1 with libYAML, one event at a time.
///
/// libYAML does not limit nesting, and its work for each token grows with the depth, so this reader
/// stops at the first level beyond its limit.
@safe
package struct YAMLReader: ~Copyable {
    // libYAML keeps the addresses of both.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>
    private let levelsMax: Int
    private var level = 0

    /// Reads `bytes`, which must be UTF-8, with at most `levelsMax` nested mappings and lists. Nil
    /// if there is no memory.
    package init?(_ bytes: [UInt8], levelsMax: Int) {
        // Not a property yet, because `deinit` runs for a complete value and frees all of its
        // properties.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe self.parser = parser
        unsafe text = .allocate(capacity: bytes.count)
        self.levelsMax = levelsMax
        _ = unsafe text.initialize(from: bytes)
        // Set the encoding; otherwise libYAML derives it from the first bytes.
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// The next event, or nil at the end of the stream. After an error there are no more events.
    package mutating func next() throws(YAMLError) -> YAMLEvent? {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error() }
        defer { unsafe yaml_event_delete(&event) }
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return try next()
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
        default: break
        }
        let mark = unsafe YAMLMark(event.start_mark)
        let kind = unsafe YAMLEvent.Kind(event)
        switch kind {
        case .sequenceStart, .mappingStart: level += 1
        case .sequenceEnd, .mappingEnd: level -= 1
        case .documentStart, .documentEnd, .scalar, .alias: break
        }
        guard level <= levelsMax else { throw YAMLError(.nesting, at: mark) }
        return YAMLEvent(kind, at: mark)
    }

    private func error() -> YAMLError {
        let mark = unsafe YAMLMark(parser.pointee.problem_mark)
        guard let problem = unsafe parser.pointee.problem else {
            return YAMLError(.outOfMemory, at: mark)
        }
        let context = unsafe parser.pointee.context.map {
            unsafe YAMLError.Context(String(cString: $0), at: YAMLMark(parser.pointee.context_mark))
        }
        return unsafe YAMLError(.syntax(String(cString: problem), context), at: mark)
    }
}

extension YAMLMark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}

extension YAMLEvent.Kind {
    fileprivate init(_ event: yaml_event_t) {
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: self = .documentStart
        case YAML_DOCUMENT_END_EVENT: self = .documentEnd
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            self = unsafe .scalar(
                String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, .init(scalar.anchor, scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            self = unsafe .sequenceStart(.init(start.anchor, start.tag))
        case YAML_SEQUENCE_END_EVENT: self = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            self = unsafe .mappingStart(.init(start.anchor, start.tag))
        case YAML_MAPPING_END_EVENT: self = .mappingEnd
        default: self = .alias
        }
    }
}

extension YAMLEvent.Properties {
    fileprivate init(
        _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
    ) {
        unsafe self.init(hasAnchor: anchor != nil, tag: tag.map { unsafe String(cString: $0) })
    }
}
