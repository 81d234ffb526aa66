import Associations
import Diagnostics

// App Links tags (Meta) and app tags of X.

extension PageExamination {
    var alIOS: ItemResult {
        let item = ReportItem.alIOS
        let group = ["ios", "iphone", "ipad"].first { device in
            page.metas.contains { $0.key.utf8.starts(with: "al:\(device):".utf8) }
        }
        guard let group else {
            return expectsStoreApp
                ? item.recommended("there are none") : item.notApplicable(Self.noStoreApp)
        }
        let keys = ["url", "app_store_id", "app_name"].map { "al:\(group):\($0)" }
        if let fault = addressFault(keys[0]) { return item.required(fault) }
        if let id = page.meta(keys[1])?.content, !isStoreIdentifier(id) {
            return item.required("\(keys[1]) is \(quoted(id)), no App Store number")
        }
        return complete(item, keys)
    }

    var alAndroid: ItemResult {
        let item = ReportItem.alAndroid
        guard page.metas.contains(where: { $0.key.utf8.starts(with: "al:android:".utf8) }) else {
            return expectsPackage
                ? item.recommended("there are none")
                : item.notApplicable("no app of the configuration that opens it is for Android")
        }
        guard let package = page.meta("al:android:package")?.content else {
            return item.required("al:android:package is missing, which the group must have")
        }
        guard isPackage(package) else {
            return item.required("al:android:package is \(quoted(package)), no package name")
        }
        if let fault = addressFault("al:android:url") { return item.required(fault) }
        return complete(item, ["al:android:package", "al:android:url", "al:android:app_name"])
    }

    /// The missing tags of a group.
    private func complete(_ item: ReportItem, _ keys: [String]) -> ItemResult {
        let missing = keys.filter { page.meta($0) == nil }
        guard let first = missing.first else {
            return item.pass(page.meta(keys[0]).map { quoted($0.content) } ?? "")
        }
        // Without a URL, the group opens nothing.
        let isAddress = { (key: String) in key.utf8.suffix(4).elementsEqual(":url".utf8) }
        let evidence =
            missing.count == 1 ? "\(first) is missing" : "\(inWords(missing, "and")) are missing"
        return isAddress(keys[0]) && missing.contains(where: isAddress)
            ? item.required(evidence) : item.recommended(evidence)
    }

    /// The fault of a URL that is passed to an app, or nil.
    private func addressFault(_ key: String) -> String? {
        guard let meta = page.meta(key) else { return nil }
        let said = "\(key) is \(quoted(meta.content))"
        if isUnsafeAddress(meta.content) { return "\(said), which no app is handed" }
        guard let scheme = scheme(of: Array(meta.content.utf8)) else {
            return "\(said), no absolute address"
        }
        guard ["http", "https"].contains(scheme) else { return nil }
        guard let link = try? LinkURL(meta.content) else { return "\(said), no address" }
        guard let url, !link.isSameHost(as: url), !answers(link.host) else { return nil }
        return "\(said), of another host than \(quoted(url.host))"
    }

    var alWeb: ItemResult {
        let item = ReportItem.alWeb
        let fallback = page.meta("al:web:should_fallback")
        let address = page.meta("al:web:url")
        guard fallback != nil || address != nil else {
            return item.notApplicable("there are none, which stands for this page")
        }
        if let fallback, ["false", "0", "no"].contains(fallback.content.lowercased()) {
            return item.recommended("al:web:should_fallback is \(quoted(fallback.content))")
        }
        guard let address else { return item.pass("al:web:should_fallback alone") }
        guard let link = resolve(address.content, against: base) else {
            return item.required("al:web:url is \(quoted(address.content)), no web address")
        }
        guard let own = canonical ?? url else { return item.pass(quoted(address.content)) }
        return link.pageAddress.isScalarwise(own.pageAddress)
            ? item.pass(quoted(address.content))
            : item.recommended(
                "al:web:url is \(quoted(address.content)), this page \(quoted(own.pageAddress))")
    }

    var twitterApp: ItemResult {
        let item = ReportItem.twitterApp
        let stores = ["iphone", "ipad"].map { "twitter:app:id:\($0)" }
        let play = "twitter:app:id:googleplay"
        let found = (stores + [play]).compactMap { page.meta($0) }
        guard !found.isEmpty else {
            return expectsStoreApp || expectsPackage
                ? item.recommended("there are none") : item.notApplicable(Self.noStoreApp)
        }
        for meta in found {
            let isInForm =
                meta.key == play ? isPackage(meta.content) : isStoreIdentifier(meta.content)
            guard isInForm else { return item.required("\(meta.key) is \(quoted(meta.content))") }
            let device = meta.key.utf8.dropFirst("twitter:app:id:".utf8.count)
            let key = "twitter:app:url:" + String(decoding: device, as: UTF8.self)
            if let fault = addressFault(key) { return item.required(fault) }
            guard page.meta(key) != nil else { return item.recommended("\(key) is missing") }
        }
        return item.pass(found.map { quoted($0.content) }.joined(separator: ", "))
    }
}
