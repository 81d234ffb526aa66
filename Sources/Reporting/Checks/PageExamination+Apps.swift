import Associations
import Diagnostics

extension PageExamination {
    var linkToApplication: [ItemResult] {
        [
            deepLinkMarkup, bannerOnce, bannerAppID, bannerArgument, bannerParameters, alIOS,
            alAndroid, alWeb, twitterApp, idsAgree,
        ]
    }

    static let noStoreApp = "no app of the configuration that opens it has an App Store ID"
    private static let noBanner = "there is no banner"

    private var deepLinkMarkup: ItemResult {
        let item = ReportItem.deepLinkMarkup
        let kinds = [
            ("Smart App Banner", banner != nil),
            ("App Links tags", page.metas.contains { $0.key.utf8.starts(with: "al:".utf8) }),
            (
                "X app tags",
                page.metas.contains { $0.key.utf8.starts(with: "twitter:app:id:".utf8) }
            ),
        ].filter(\.1).map(\.0)
        if !kinds.isEmpty { return item.pass(kinds.joined(separator: ", ")) }
        return expectsStoreApp || expectsPackage
            ? item.required("the page names no app") : item.notApplicable(Self.noStoreApp)
    }

    // MARK: Smart App Banner

    private var bannerOnce: ItemResult {
        let item = ReportItem.bannerOnce
        let tags = page.metas("apple-itunes-app")
        switch tags.count {
        case 1: return item.pass("line \(tags[0].line)")
        case 0:
            return expectsStoreApp
                ? item.recommended(
                    Self.noBanner, fix: "add one: Safari offers the app by it on iPhone and iPad")
                : item.notApplicable(Self.noStoreApp)
        default:
            let lines = tags.prefix(5).map { "\($0.line)" }.joined(separator: ", ")
            return item.required("\(tags.count), in lines \(lines)")
        }
    }

    private var bannerAppID: ItemResult {
        let item = ReportItem.bannerAppID
        guard let banner else { return item.notApplicable(Self.noBanner) }
        guard let id = banner["app-id"] else {
            return banner["app-clip-bundle-id"] == nil
                ? item.required("the banner has no app-id")
                : item.notApplicable("the banner is an App Clip's alone")
        }
        return isStoreIdentifier(id) ? item.pass(id) : item.required("it is \(quoted(id))")
    }

    private var bannerArgument: ItemResult {
        let item = ReportItem.bannerArgument
        guard let banner else { return item.notApplicable(Self.noBanner) }
        guard let argument = banner["app-argument"] else {
            return banner["app-clip-bundle-id"] != nil && banner["app-id"] == nil
                ? item.notApplicable("App Clips get the page's address")
                : item.recommended("there is none")
        }
        let said = quoted(argument)
        if isUnsafeAddress(argument) { return item.required("it is \(said)") }
        guard let scheme = scheme(of: Array(argument.utf8)) else {
            return item.required("\(said) is no absolute address")
        }
        guard ["http", "https"].contains(scheme) else {
            return item.recommended(
                "\(said) is of a scheme of its own",
                fix: "write this page's address: an app takes both, and a link that it does not "
                    + "open still shows the page")
        }
        guard let link = try? LinkURL(argument) else {
            return item.required("\(said) is no address")
        }
        guard let url else { return item.pass(said) }
        return link.isSameHost(as: url) || answers(link.host)
            ? item.pass(said)
            : item.required("\(said) is of another host than \(quoted(url.host))")
    }

    private var bannerParameters: ItemResult {
        let item = ReportItem.bannerParameters
        guard let banner else { return item.notApplicable(Self.noBanner) }
        var seen = Set<String>()
        for (name, value) in banner.parameters {
            guard let value else {
                return item.required(
                    name.utf8.isEmpty
                        ? "a comma has nothing behind or before it"
                        : "\(quoted(name)) stands between commas, and is no parameter")
            }
            guard AppBanner.names.contains(name.lowercased()) else {
                let meant = nearestName(to: name, among: AppBanner.names)
                return item.required(
                    "\(quoted(name)) is no parameter",
                    fix: meant.map { "did you mean \($0)?" } ?? item.fix)
            }
            guard seen.insert(name.lowercased()).inserted else {
                return item.required("\(quoted(name)) is given twice")
            }
            guard !value.utf8.isEmpty else { return item.required("\(quoted(name)) has no value") }
        }
        return item.pass(banner.parameters.map(\.name).joined(separator: ", "))
    }

    // MARK: Agreement

    private var idsAgree: ItemResult {
        let item = ReportItem.idsAgree
        let (stores, packages) = (storeIdentifiers, packages)
        guard !stores.isEmpty || !packages.isEmpty else {
            return item.notApplicable("no tag names an app")
        }
        for found in [stores, packages] {
            guard let first = found.first,
                let other = found.first(where: { !$0.id.isScalarwise(first.id) })
            else { continue }
            return item.required(
                "\(first.tag) says \(quoted(first.id)), \(other.tag) \(quoted(other.id))")
        }
        let known: [(found: (tag: String, id: String)?, ids: [String])] = [
            (stores.first, knownApps.compactMap(\.storeIdentifier)),
            (packages.first, knownApps.compactMap(\.package)),
        ]
        for (found, ids) in known {
            guard let found, !ids.isEmpty, !ids.contains(where: found.id.isScalarwise) else {
                continue
            }
            return item.required(
                "\(found.tag) says \(quoted(found.id)), the configuration "
                    + ids.map { quoted($0) }.joined(separator: " or "))
        }
        let ids = [stores.first, packages.first].compactMap { $0?.id }
        return item.pass(ids.map { quoted($0) }.joined(separator: ", "))
    }
}
