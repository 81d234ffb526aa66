/// The texts and booleans among the resources of an Android App Bundle (Android, `Resources.proto`).
struct BundleResources {
    private let bytes: [UInt8]
    /// By the number of a resource: its value where nothing is required of a device, or only a version of
    /// Android. Nil for different values, and for others than texts, booleans, numbers and references.
    private var values = [Int: BundleValue?]()
    /// The resources with other values for some devices, such as those of a language.
    private var differing = Set<Int>()

    init(_ bytes: [UInt8]) throws(FormatFault) {
        self.bytes = bytes
        var left = AppFileLimits.valuesMax
        var table = ProtoFields(bytes, bytes.indices)
        while let package = try table.next() {
            guard package.number == 2 else { continue }
            let packageNumber = try number(package.range)
            var types = ProtoFields(bytes, package.range)
            while let type = try types.next() {
                guard type.number == 3 else { continue }
                let typeNumber = try number(type.range)
                var entries = ProtoFields(bytes, type.range)
                while let entry = try entries.next() {
                    guard entry.number == 3 else { continue }
                    let id = try packageNumber << 24 | typeNumber << 16 | number(entry.range)
                    try add(entry.range, of: id, &left)
                }
            }
        }
    }

    /// The number of a package, a type or an entry, which is in its first field.
    private func number(_ range: Range<Int>) throws(FormatFault) -> Int {
        guard let field = try bytes.field(1, in: range) else { return 0 }
        let number = try bytes.field(1, in: field.range)?.value ?? 0
        guard (0...0xFFFF).contains(number) else { throw ProtoFields.damaged }
        return number
    }

    private mutating func add(
        _ entry: Range<Int>, of resource: Int, _ left: inout Int
    ) throws(FormatFault) {
        var fields = ProtoFields(bytes, entry)
        while let field = try fields.next() {
            guard field.number == 6 else { continue }
            let configuration = try bytes.field(1, in: field.range)?.range ?? 0..<0
            guard try isForAll(configuration) else {
                differing.insert(resource)
                continue
            }
            guard let value = try bytes.field(2, in: field.range) else { continue }
            left -= 1
            guard left >= 0 else {
                throw FormatFault(
                    "has more than \(AppFileLimits.valuesMax) values of resources for all devices")
            }
            let item = try bytes.field(4, in: value.range)
            let read = try item.flatMap { item throws(FormatFault) in
                try BundleValue(bytes, item.range)
            }
            let isSame = values[resource].map { $0 == read } ?? true
            values.updateValue(isSame ? read : nil, forKey: resource)
        }
    }

    /// Whether a configuration requires no more than a version of Android.
    private func isForAll(_ range: Range<Int>) throws(FormatFault) -> Bool {
        var fields = ProtoFields(bytes, range)
        while let field = try fields.next() {
            if field.number != 24, field.value != 0 || !field.range.isEmpty { return false }
        }
        return true
    }

    /// Whether a resource, or one that it refers to, has other values for some devices than for all.
    func dependsOnDevice(_ resource: Int) -> Bool {
        var resource = resource
        for _ in 0..<AppFileLimits.referencesMax {
            if differing.contains(resource) { return true }
            guard case .reference(let next)?? = values[resource] else { return false }
            resource = next
        }
        return false
    }

    /// The value of a resource, as `ResourceTable` says it.
    func value(_ resource: Int) -> String? {
        var resource = resource
        for _ in 0..<AppFileLimits.referencesMax {
            guard let value = values[resource] ?? nil else { return nil }
            switch value {
            case .reference(let next): resource = next
            case .text, .flag: return value.text
            case .number: return nil
            }
        }
        return nil
    }
}
