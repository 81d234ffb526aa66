/// The bytes of a base's file that were not written yet.
struct BaseOutput {
    var bytes = BaseFile.form
    private var checksum = BaseChecksum()

    init(_ head: BaseHead) {
        let head = head.bytes
        bytes.append(head.count, bytes: 4)
        bytes += head
        checksum.add(head.span)
        bytes.append(checksum.value, bytes: 8)
    }

    mutating func add(_ record: Span<UInt8>) {
        bytes.append(record.count, bytes: 2)
        for index in record.indices { bytes.append(record[index]) }
        checksum.add(record)
    }

    mutating func end() { bytes.append(checksum.value, bytes: 8) }
}
