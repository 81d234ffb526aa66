import ClientAddress

/// Addresses and blocks: what is written of one is read back to it.
@Sendable func readAddresses(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A) {
        let text = String(decoding: line, as: UTF8.self)
        if let address = IPAddress(text) {
            require(IPAddress("\(address)") == address, "\(address) is not read back")
        }
        if let block = try? AddressBlock(text), let slash = text.utf8.firstIndex(of: 0x2F) {
            let address = IPAddress(String(text[..<slash]))
            require(address.map(block.contains) == true, "\(text) is without its own address")
        }
    }
}
