/// The name of a component, as far as it is known: a name that begins with a full stop, or has none, is in the package of
/// the manifest, which Gradle's script can set (Android, "activity").
enum ComponentName: Hashable, Sendable {
    /// With its package.
    case whole([UInt8])
    /// Without it, from the full stop on.
    case relative([UInt8])
    /// Only the part behind the last full stop is known.
    case last([UInt8])

    /// - Parameter package: nil if it is not known.
    init(_ name: String, in package: String?) {
        let bytes = Array(name.utf8)
        let dot = UInt8(ascii: ".")
        let start = bytes.lastIndex(of: dot).map { $0 + 1 } ?? 0
        let isRelative = start == 0 || bytes.first == dot
        let package = package.flatMap { $0.utf8.count <= Self.bytesMax ? $0 : nil }
        let relative = start == 0 ? [dot] + bytes : bytes
        let around = isRelative ? Array((package ?? "").utf8) : []
        guard bytes.count <= Self.bytesMax,
            (around + relative).count(where: { $0 == dot }) <= Self.partsMax,
            !bytes.contains(where: { "${@".utf8.contains($0) })
        else {
            self = .last(Array(bytes[start...]))
            return
        }
        guard isRelative else {
            self = .whole(bytes)
            return
        }
        self = package == nil ? .relative(relative) : .whole(around + relative)
    }

    /// Of a longer name, or one with more full stops, only the last part is compared.
    private static let bytesMax = 255
    private static let partsMax = 16
}

/// Names of components, among which others are looked up: one manifest can write a name with its package, another
/// without.
struct ComponentNames: Hashable, Sendable {
    private var whole = Set<[UInt8]>()
    private var relative = Set<[UInt8]>()
    private var last = Set<[UInt8]>()
    /// The ends of whole names, each from a full stop on.
    private var ends = Set<[UInt8]>()
    /// The last parts of all.
    private var lastOfAll = Set<[UInt8]>()

    var isEmpty: Bool { lastOfAll.isEmpty }

    mutating func insert(_ name: ComponentName) {
        switch name {
        case .whole(let bytes):
            whole.insert(bytes)
            ends.formUnion(Self.ends(of: bytes))
            lastOfAll.insert(Self.last(of: bytes))
        case .relative(let bytes):
            relative.insert(bytes)
            lastOfAll.insert(Self.last(of: bytes))
        case .last(let bytes):
            last.insert(bytes)
            lastOfAll.insert(bytes)
        }
    }

    /// Whether a name can be one of them.
    func contain(_ name: ComponentName) -> Bool {
        switch name {
        case .whole(let bytes):
            whole.contains(bytes) || last.contains(Self.last(of: bytes))
                || !relative.isEmpty && Self.ends(of: bytes).contains(where: relative.contains)
        case .relative(let bytes):
            relative.contains(bytes) || ends.contains(bytes) || last.contains(Self.last(of: bytes))
        case .last(let bytes): lastOfAll.contains(bytes)
        }
    }

    private static func ends(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }.map { Array(bytes[$0...]) }
    }

    private static func last(of bytes: [UInt8]) -> [UInt8] {
        Array(bytes.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed())
    }
}
