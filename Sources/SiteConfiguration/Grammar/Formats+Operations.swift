private import ClientAddress
private import Diagnostics

extension Format {
    /// An address, or a block of them; `private` stands for those that nobody routes.
    static let addressBlock = Format(
        "an address, a block of addresses or `private`",
        pattern: "^(private|[0-9A-Fa-f:.]+(/[0-9]+)?)$",
        fault: addressFault)

    private static func addressFault(_ text: String) -> Fault? {
        guard text != "private" else { return nil }
        do throws(AddressBlockError) {
            _ = try AddressBlock(text)
            return nil
        } catch {
            return fault(text, error)
        }
    }

    private static func fault(_ text: String, _ error: AddressBlockError) -> Fault {
        switch error {
        case .noAddress:
            Fault(
                rule: .addressBlock, message: "\(quoted(text)) is no IPv4 or IPv6 address",
                advice: "write an address, a block such as 10.0.0.0/8, or private")
        case .noPrefixLength(let most):
            Fault(
                rule: .addressBlock,
                message: "\(quoted(text)) has no prefix length of 0 to \(most) behind its slash")
        case .bitsBehindPrefix(let block):
            Fault(
                rule: .addressBlock, message: "\(quoted(text)) has bits beyond its prefix",
                advice: "the block that it lies in is \(block)")
        }
    }
}
