import Associations
import Diagnostics
import JSONSyntax
private import LinkIndex
import Resolution
private import SiteConfiguration
import TLS
private import URISyntax

/// A request for a short link, in whichever of its forms it was written.
struct ShortLinkRequest {
    let collection: ServedCollection
    /// The URL to which short links are appended, without a slash: on the host that was asked for.
    let prefix: String
    let values: [String: String]
    var notes: [FirebaseNote]
    let option: String
    let suffix: String?
    let name: String?

    /// The name of the link in the store. The same request has the same one, in whatever way it
    /// writes its parameters, so it gets the same link.
    var identity: String {
        let parts = [
            collection.name.description, prefix, suffix ?? "", name ?? "",
            FirebaseQuery.canonical(values),
        ]
        let hash = sha256(Array(parts.joined(separator: "\n").utf8)).prefix(16)
        let digits = hash.flatMap { [($0 >> 4).hexDigit, ($0 & 0xF).hexDigit] }
        return "firebase:\(option.lowercased()):\(String(decoding: digits, as: UTF8.self))"
    }
}

extension ShortLinkRequest {
    /// Reads what is asked for: either a long link, or its parameters one by one.
    init(_ json: JSONValue, _ form: FirebaseForm, _ api: LinkAPI) throws(Problem) {
        let members = try Self.members(of: json, form)
        let suffix = members["suffix.customSuffix"]
        let asked = members["suffix.option"] ?? ""
        let option =
            suffix != nil && asked.isEmpty
            ? "CUSTOM" : ["SHORT", "CUSTOM"].contains(asked) ? asked : "UNGUESSABLE"
        guard (option == "CUSTOM") == (suffix != nil) else {
            throw .firebase([
                FirebaseFault("suffix", "customSuffix is there with the option CUSTOM only")
            ])
        }
        var infos = [String: String]()
        for (key, value) in members where key.utf8.starts(with: "dynamicLinkInfo.".utf8) {
            infos[String(decoding: key.utf8.dropFirst(16), as: UTF8.self)] = value
        }
        let long = members["longDynamicLink"]
        guard (long == nil) != infos.isEmpty else {
            throw .firebase([
                FirebaseFault("", "one of longDynamicLink and dynamicLinkInfo must be there")
            ])
        }
        let (domain, field) = try Self.domain(long, infos)
        let (collection, prefix) = try Self.collection(at: domain, field, api)
        var (values, notes, faults) = ([String: String](), [FirebaseNote](), [FirebaseFault]())
        if let long, let url = try? LinkURL(long) {
            let query = FirebaseQuery(url.query ?? "", linkBytes: long.utf8.count)
            (values, notes, faults) = (query.values, query.notes, query.faults)
            if url.fragment != nil {
                notes.append(
                    FirebaseNote(
                        "link", .linkWithFragments, "the fragment of the link is left out"))
            }
        } else {
            for (path, parameter) in FirebaseForm.parameters {
                if let value = infos[path], !value.isEmpty { values[parameter] = value }
            }
            if values["efr"] == "false" { values["efr"] = nil }
            // One reader checks what both forms have.
            let query = FirebaseQuery(FirebaseQuery.canonical(values), linkBytes: 0)
            faults = query.faults
        }
        guard faults.isEmpty else { throw .firebase(faults) }
        self.init(
            collection: collection, prefix: prefix, values: values, notes: notes, option: option,
            suffix: suffix, name: members["name"])
    }

    /// The URL that short links begin with, and the member that has it.
    private static func domain(
        _ long: String?, _ info: [String: String]
    ) throws(Problem) -> (LinkURL, String) {
        let (text, field): (String, String)
        if let long {
            (text, field) = (long, "longDynamicLink")
        } else if let prefix = info["domainUriPrefix"] {
            (text, field) = (prefix, "dynamicLinkInfo.domainUriPrefix")
        } else if let host = info["dynamicLinkDomain"] {
            (text, field) = ("https://\(host)", "dynamicLinkInfo.dynamicLinkDomain")
        } else {
            throw .firebase([FirebaseFault("dynamicLinkInfo.domainUriPrefix", "it is missing")])
        }
        guard info["domainUriPrefix"] == nil || info["dynamicLinkDomain"] == nil else {
            throw .firebase([
                FirebaseFault(
                    "dynamicLinkInfo", "one of domainUriPrefix and dynamicLinkDomain must be there")
            ])
        }
        let url: LinkURL
        do throws(LinkURLError) { url = try LinkURL(text) } catch {
            throw .firebase([FirebaseFault(field, "\(quoted(text)) is no URL: \(error)")])
        }
        // What short links do not have would be left out.
        guard url.isSecure, url.isAtOrigin(port: nil),
            long != nil || url.query == nil && url.fragment == nil
        else {
            throw .firebase([
                FirebaseFault(
                    field,
                    "\(quoted(text)) must be https://, a host and a path"
                        + (long == nil ? ", and nothing else" : ", without a user name and a port"))
            ])
        }
        return (url, field)
    }

    private static func collection(
        at url: LinkURL, _ field: String, _ api: LinkAPI
    ) throws(Problem) -> (ServedCollection, prefix: String) {
        let served = api.collections.filter { $0.collection.firebase.contains(.api) }
        var path = Array(url.bytes[url.pathRange])
        if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
        let host = url.requestedHost
        let site = api.site(of: host)
        let found = served.first { collection in
            collection.site === site && collection.link.starPrefixes.contains(path)
        }
        guard let found else {
            let known = served.map { collection in
                String(decoding: collection.url("").utf8.dropLast(), as: UTF8.self)
            }
            throw .firebase([
                FirebaseFault(
                    field,
                    "\(quoted("https://\(host)\(url.path)")) has no links of Firebase; "
                        + "\(known.joined(separator: ", ")) has")
            ])
        }
        let end = String(decoding: path.dropLast(), as: UTF8.self)
        return (found, "https://\(host)\(end)")
    }

    /// The members of a request by their paths.
    static func members(
        of json: JSONValue, _ form: FirebaseForm, isOpen: Bool = false
    ) throws(Problem) -> [String: String] {
        var (values, faults) = ([String: String](), [FirebaseFault]())
        form.read(json, at: "", into: &values, isOpen: isOpen, &faults)
        guard faults.isEmpty else { throw .firebase(faults) }
        return values.filter { !$0.value.isEmpty }
    }
}
