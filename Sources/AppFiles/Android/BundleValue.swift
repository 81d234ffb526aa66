/// A value as aapt2 has compiled it.
enum BundleValue: Equatable {
    case text(String)
    /// The number of a resource; 0 for a value of a theme.
    case reference(Int)
    case flag(Bool)
    case number(Int)

    /// Nil for another value, such as a color.
    init?(_ bytes: [UInt8], _ range: Range<Int>) throws(FormatFault) {
        var fields = ProtoFields(bytes, range)
        var found = BundleValue?.none
        while let field = try fields.next() {
            switch field.number {
            case 1:
                let isOfTheme = (try bytes.field(1, in: field.range)?.value ?? 0) != 0
                let resource = try bytes.field(2, in: field.range)?.value ?? 0
                found = .reference(isOfTheme ? 0 : resource)
            case 2: found = .text(bytes.text(try bytes.field(1, in: field.range)?.range ?? 0..<0))
            case 7:
                var kinds = ProtoFields(bytes, field.range)
                while let kind = try kinds.next() {
                    if kind.number == 8 { found = .flag(kind.value != 0) }
                    if kind.number == 6 || kind.number == 7 { found = .number(kind.value) }
                }
            default: break
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// As the binary form of XML has it.
    var text: String {
        switch self {
        case .text(let text): text
        case .reference(let number): (number == 0 ? "?0x" : "@0x") + String(number, radix: 16)
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): "\(Int32(truncatingIfNeeded: number))"
        }
    }
}
