import Diagnostics
import JSONSyntax

extension PageExamination {
    var structuredData: [ItemResult] {
        [jsonLD, jsonLDContext, jsonLDRequired, jsonLDRecommended, jsonLDValues, resultActionItem]
    }

    private static let noData = "there is no JSON-LD"

    private var jsonLD: ItemResult {
        let item = ReportItem.jsonLD
        guard !data.blocks.isEmpty else {
            return item.recommended(
                page.hasMicrodata
                    ? "there is none; microdata is there, and not read here"
                    : "there is none")
        }
        for block in data.blocks {
            guard let fault = block.document.diagnostics.first(where: { $0.severity == .error })
            else { continue }
            let line = block.line + (fault.position?.line ?? 1) - 1
            return item.required(
                "line \(line): \(fault.message) [\(fault.rule)]", fix: fault.advice)
        }
        let types = data.things.flatMap(\.types).map { quoted($0) }
        let count = data.blocks.count
        return item.pass(
            "\(count) \(count == 1 ? "block" : "blocks"): "
                + (types.isEmpty ? "no types" : listed(types, max: 8)))
    }

    private var jsonLDContext: ItemResult {
        let item = ReportItem.jsonLDContext
        guard !data.blocks.isEmpty else { return item.notApplicable(Self.noData) }
        for block in data.blocks {
            guard let root = block.document.root else { continue }
            for value in root.elements ?? [root] where !isSchema(value["@context"]) {
                return item.required(
                    "the block in line \(block.line) has another @context, or none")
            }
        }
        if let thing = data.things.first(where: { $0.types.isEmpty }) {
            return item.required("line \(thing.line): a thing has no @type")
        }
        return item.pass("schema.org")
    }

    /// Whether a context is or contains schema.org.
    private func isSchema(_ context: JSONValue?) -> Bool {
        guard let context else { return false }
        if let elements = context.elements { return elements.contains { isSchema($0) } }
        guard let text = context.text ?? context["@vocab"]?.text else { return false }
        return ["https://schema.org", "http://schema.org"].contains {
            text.utf8.starts(with: $0.utf8)
        }
    }

    // MARK: What types must have

    private var jsonLDRequired: ItemResult {
        let item = ReportItem.jsonLDRequired
        guard !data.things.isEmpty else { return item.notApplicable(Self.noData) }
        if let fault = fault(\.required) { return item.required(fault) }
        for thing in data.things where thing.types.contains("BreadcrumbList") {
            guard let fault = breadcrumbFault(thing) else { continue }
            return item.required("line \(thing.line): \(fault)")
        }
        let known = data.things.contains { $0.types.contains { SchemaType.named($0) != nil } }
        return known
            ? item.pass("nothing is missing") : item.notApplicable("no type that asks for any")
    }

    private var jsonLDRecommended: ItemResult {
        let item = ReportItem.jsonLDRecommended
        guard !data.things.isEmpty else { return item.notApplicable(Self.noData) }
        return fault(\.recommended).map { item.recommended($0) } ?? item.pass("nothing is missing")
    }

    /// The first item with missing properties, and all of them.
    private func fault(_ paths: KeyPath<SchemaType, [[String]]>) -> String? {
        for thing in data.things {
            for name in thing.types {
                let missing = missing(name, thing, paths)
                guard !missing.isEmpty else { continue }
                return "line \(thing.line): \(name) has no \(missing.joined(separator: ", no "))"
            }
        }
        return nil
    }

    private func missing(
        _ type: String, _ thing: StructuredItems.Thing, _ paths: KeyPath<SchemaType, [[String]]>
    ) -> [String] {
        (SchemaType.named(type)?[keyPath: paths] ?? [])
            .filter { $0.allSatisfy { data.values($0, of: thing.value).isEmpty } }
            .map { $0.joined(separator: " or ") }
    }

    private func breadcrumbFault(_ thing: StructuredItems.Thing) -> String? {
        let items = data.values("itemListElement", of: thing.value)
        guard items.count >= 2 else { return "BreadcrumbList has \(items.count) items, not two" }
        for (index, entry) in items.enumerated() {
            for key in ["position", "name"] where data.text(key, of: entry) == nil {
                if key == "name", data.text("item.name", of: entry) != nil { continue }
                return "BreadcrumbList item \(index + 1) has no \(key)"
            }
            if index < items.count - 1, data.values("item", of: entry).isEmpty {
                return "BreadcrumbList item \(index + 1) has no item"
            }
        }
        return nil
    }

    // MARK: Forms of values

    private var jsonLDValues: ItemResult {
        let item = ReportItem.jsonLDValues
        guard !data.things.isEmpty else { return item.notApplicable(Self.noData) }
        for thing in data.things {
            for (path, form) in ValueForm.all {
                for text in data.values(path, of: thing.value).compactMap(\.plainText) {
                    guard let fault = form.fault(text) else { continue }
                    return item.recommended(
                        "line \(thing.line): \(path) is \(quoted(text)), \(fault)")
                }
            }
        }
        return item.pass("those that are looked at are")
    }

    // MARK: Actions

    private var resultActionItem: ItemResult {
        let item = ReportItem.resultActions
        let actions = resultActions
        guard !actions.isEmpty else { return item.notApplicable("nothing to make them of") }
        return item.pass(actions.map { "\($0.label): \($0.detail)" }.joined(separator: "; "))
    }

    /// The parts of the page's data that Apple's search results show.
    var resultActions: [ResultAction] {
        var actions = [ResultAction]()
        func add(_ label: String, _ detail: String?) {
            guard let detail, !detail.utf8.isEmpty, !actions.contains(where: { $0.label == label })
            else { return }
            actions.append(ResultAction(label: label, detail: quoted(detail)))
        }
        for thing in data.things {
            let value = thing.value
            add("Call", data.text("telephone", of: value))
            add("Directions", address(of: value))
            if !Set(thing.types).isDisjoint(with: ["VideoObject", "AudioObject"]) {
                add("Play", data.text("contentUrl", of: value) ?? data.text("embedUrl", of: value))
            }
            if let price = data.text("offers.price", of: value) {
                let currency = data.text("offers.priceCurrency", of: value) ?? ""
                add("Offer", trimmed("\(price) \(currency)"))
            }
            if let rating = data.text("aggregateRating.ratingValue", of: value) {
                let best = data.text("aggregateRating.bestRating", of: value) ?? "5"
                add("Rating", "\(rating) of \(best)")
            }
        }
        add(
            "Play",
            (page.meta("og:video") ?? page.meta("og:video:url") ?? page.meta("og:audio"))?.content)
        return actions
    }

    private func address(of value: JSONValue) -> String? {
        guard let address = data.values("address", of: value).first else { return nil }
        if let text = address.text { return trimmed(text) }
        let parts = ["streetAddress", "postalCode", "addressLocality", "addressCountry"]
            .compactMap { data.text($0, of: address) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// A button or a line under a search result.
struct ResultAction: Hashable {
    let label: String
    /// Quoted.
    let detail: String
}

/// The first of the words, and how many more there are.
func listed(_ words: [String], max: Int) -> String {
    let rest = words.count - max
    return words.prefix(max).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
}
