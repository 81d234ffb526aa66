internal import Diagnostics
internal import SiteConfiguration

/// The model as structured data of schema.org: the nodes of one graph.
struct StructuredData {
    private(set) var graph = [JSONText]()

    init(_ model: PageModel) {
        if let app = model.app { graph.append(node(app)) }
        if let video = model.video, let url = PageURL(video.url) {
            graph.append(node(video, at: url, of: model))
        }
        if let schema = model.schema { graph += nodes(schema, of: model) }
        if model.breadcrumbs.count > 1 { graph.append(breadcrumbs(model.breadcrumbs)) }
        if let organization = model.organization { graph.append(node(organization)) }
    }

    private func node(_ app: PageModel.App) -> JSONText {
        var systems = [JSONText]()
        var stores = [JSONText]()
        if let identifier = app.appStoreIdentifier {
            systems.append(.string("iOS"))
            let url = PageURL("https://apps.apple.com/app/id\(PageURL.escaped(identifier))")
            stores += url.map { [.string($0.description)] } ?? []
        }
        if let package = app.androidPackage {
            systems.append(.string("Android"))
            let url = PageURL(
                "https://play.google.com/store/apps/details?id=\(PageURL.escaped(package))")
            stores += url.map { [.string($0.description)] } ?? []
        }
        return .node(
            "MobileApplication",
            [
                "name": .string(app.name), "operatingSystem": .oneOrMore(systems),
                "installUrl": .oneOrMore(stores),
            ])
    }

    private func node(_ video: PageVideo, at url: PageURL, of model: PageModel) -> JSONText {
        .node(
            "VideoObject",
            [
                "name": .string(model.title), "description": .text(model.description),
                "thumbnailUrl": .url(model.image?.url), "contentUrl": .string(url.description),
                "uploadDate": .text(video.uploaded), "duration": .text(video.duration),
                "encodingFormat": .text(video.type), "width": video.widthPixels.map { .number($0) },
                "height": video.heightPixels.map { .number($0) },
            ])
    }

    private func nodes(_ schema: PageSchema, of model: PageModel) -> [JSONText] {
        switch schema {
        case .type(let type):
            return [
                .node(
                    type,
                    [
                        "name": .string(model.title), "description": .text(model.description),
                        "url": .url(model.url), "image": .url(model.image?.url),
                    ])
            ]
        case .whole(.array(let nodes)): return nodes
        case .whole(let node):
            // A document with its own nodes, which join the others.
            guard case .array(let nodes)? = node["@graph"] else {
                return [node.withoutSchemaContext]
            }
            return nodes
        }
    }

    private func breadcrumbs(_ steps: [Breadcrumb]) -> JSONText {
        let items = steps.enumerated().map { index, step in
            JSONText.node(
                "ListItem",
                [
                    "position": .number(index + 1), "name": .string(step.name),
                    "item": .url(step.url),
                ])
        }
        return .node("BreadcrumbList", ["itemListElement": .array(items)])
    }

    private func node(_ organization: PageModel.Organization) -> JSONText {
        .node(
            "Organization",
            [
                "name": .string(organization.name), "url": .url(organization.url),
                "logo": .url(organization.logo),
                "sameAs": .oneOrMore(organization.sameAs.compactMap { .url($0) }),
            ])
    }
}

extension JSONText {
    /// The graph has the context once.
    fileprivate var withoutSchemaContext: JSONText {
        guard case .object(let members) = self else { return self }
        return .object(
            members.filter { member in
                guard member.key == "@context", case .string(let context) = member.value else {
                    return true
                }
                return !["https://schema.org", "http://schema.org", "https://schema.org/"]
                    .contains(context)
            })
    }
}
