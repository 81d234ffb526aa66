import AppFiles
import Associations
import Diagnostics

/// The apps that a site's file for iOS lists, by what is asked of them: each app of a project is looked up.
struct ListedApps {
    /// The identifiers of all services, each once.
    let names: [String]
    /// The services by the identifiers, and by those without their prefix.
    private var services = [[UInt8]: Set<String>]()
    private var servicesOfBundles = [[UInt8]: Set<String>]()
    /// The first identifiers with a bundle identifier, and with one that is alike.
    private var firstOfBundles = [[UInt8]: String]()
    private var alike = [[[UInt8]]: String]()

    init(_ listed: [String: [String]]) {
        var names = [String]()
        for service in AssociatedDomain.services {
            for name in listed[service] ?? [] {
                let (bytes, bundle) = (Array(name.utf8), Array(bundleBytes(name)))
                if services[bytes] == nil {
                    names.append(name)
                    // A placeholder stands for no app, so another one counts.
                    if firstOfBundles[bundle].map(isPlaceholder) != false {
                        firstOfBundles[bundle] = name
                    }
                    let key = plainParts(bundle[...])
                    if alike[key] == nil { alike[key] = name }
                }
                services[bytes, default: []].insert(service)
                servicesOfBundles[bundle, default: []].insert(service)
            }
        }
        self.names = names
    }

    func lists(_ identifier: String, for service: String) -> Bool {
        services[Array(identifier.utf8)]?.contains(service) == true
    }

    func lists(bundle: String, for service: String) -> Bool {
        servicesOfBundles[Array(bundle.utf8)]?.contains(service) == true
    }

    /// Whether any service lists an app with one of some bundle identifiers.
    func listsAny(ofBundles bundles: Set<[UInt8]>) -> Bool {
        bundles.contains { servicesOfBundles[$0] != nil }
    }

    /// The first identifier with the same bundle identifier, which can be the app's own.
    func withAnyPrefix(_ identifier: String) -> String? {
        firstOfBundles[Array(bundleBytes(identifier))]
    }

    /// The first identifier whose bundle identifier is almost the app's.
    func alike(_ identifier: String) -> String? { alike[plainParts(bundleBytes(identifier))] }
}

/// Whether no app has an identifier, because its prefix is a placeholder, or none.
func isPlaceholder(_ identifier: String) -> Bool {
    IdentifierFault(identifier)?.severity == .error
}

/// The part behind the prefix.
func bundleBytes(_ identifier: String) -> ArraySlice<UInt8> {
    Array(identifier.utf8).drop { $0 != UInt8(ascii: ".") }.dropFirst()
}
