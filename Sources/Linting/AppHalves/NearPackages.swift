/// The packages that a site lists, and among them the one that is almost another package.
struct NearPackages {
    /// In order.
    let names: [String]
    /// The numbers of the names, and the first of those that are alike.
    private var numbers = [[UInt8]: Int]()
    private var alike = [[[UInt8]]: Int]()

    init(_ names: some Sequence<String>) {
        self.names = names.sorted()
        for (number, name) in self.names.enumerated() {
            let bytes = Array(name.utf8)
            numbers[bytes] = number
            let key = plainParts(bytes[...])
            if alike[key] == nil { alike[key] = number }
        }
    }

    /// The first name that differs from a package only as `isAlike` says, or that begins it up to a full stop.
    func first(near package: String) -> String? {
        let bytes = Array(package.utf8)
        var found = alike[plainParts(bytes[...])]
        // No name that Google accepts is longer.
        for index in bytes.indices.prefix(Self.bytesMax) where bytes[index] == UInt8(ascii: ".") {
            guard let number = numbers[Array(bytes[..<index])] else { continue }
            found = min(found ?? number, number)
        }
        return found.map { names[$0] }
    }

    private static let bytesMax = 255
}
