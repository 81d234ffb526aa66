import AppFiles

/// The apps that a site lists and that no source here builds, which can be misspelt.
struct UnbuiltApps {
    /// The first identifier for each form without one of its parts.
    private var named = [[[UInt8]]: String]()

    /// - Parameter built: the identifiers of the sources.
    init(_ listed: some Sequence<String>, except built: Set<[UInt8]>) {
        for name in listed where !built.contains(Array(name.utf8)) {
            for form in Self.forms(of: name) where named[form] == nil { named[form] = name }
        }
    }

    /// The first one that differs from an identifier in one part, such as `com.example.shp` from `com.example.shop`.
    func first(near identifier: String) -> String? {
        Self.forms(of: identifier).lazy.compactMap { named[$0] }.first
    }

    /// The parts of an identifier, each time with another one left empty. No system installs an app with a longer one.
    private static func forms(of identifier: String) -> [[[UInt8]]] {
        let parts = Array(identifier.utf8.prefix(bytesMax)).split(separator: UInt8(ascii: "."))
            .map { Array($0) }
        guard parts.count <= partsMax, parts.count > 1 else { return [] }
        return parts.indices.map { index in
            var form = parts
            form[index] = []
            return form
        }
    }

    private static let (bytesMax, partsMax) = (255, 16)
}

extension SiteHalf {
    /// The identifiers of apps that it lists, and of no App Clips: without a prefix for iOS.
    func identifiers(ofApple isOfApple: Bool) -> [String] {
        guard isOfApple else { return packages?.names ?? [] }
        guard case .read(let services) = apple else { return [] }
        return services.filter { $0.key != "appclips" }.values.joined().map { name in
            String(decoding: bundleBytes(name), as: UTF8.self)
        }
    }
}

/// Whether an identifier goes on behind one of a kind, such as `com.example.shop.dev` behind `com.example.shop`.
func goesOn(_ identifier: String, behind isOfKind: ([UInt8]) -> Bool) -> Bool {
    let bytes = Array(identifier.utf8.prefix(255))
    return bytes.indices.contains { index in
        bytes[index] == UInt8(ascii: ".") && isOfKind(Array(bytes[..<index]))
    }
}
