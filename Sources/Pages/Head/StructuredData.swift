/// What the model says in the words of schema.org: the nodes of one graph.
struct StructuredData {
    private(set) var graph = [SchemaValue]()

    init(_ model: PageModel) {
        if let app = model.app { graph.append(node(app)) }
        if let video = model.video, let url = PageURL(video.url) {
            graph.append(node(video, at: url, of: model))
        }
        if let schema = model.schema { graph += nodes(schema, of: model) }
        if model.breadcrumbs.count > 1 { graph.append(breadcrumbs(model.breadcrumbs)) }
        if let organization = model.organization { graph.append(node(organization)) }
    }

    private func node(_ app: PageModel.App) -> SchemaValue {
        var systems = [SchemaValue]()
        var stores = [SchemaValue]()
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
        return .object(
            type: "MobileApplication",
            [
                "name": .string(app.name), "operatingSystem": .oneOrMore(systems),
                "installUrl": .oneOrMore(stores),
            ])
    }

    private func node(
        _ video: PageModel.Video, at url: PageURL, of model: PageModel
    ) -> SchemaValue {
        .object(
            type: "VideoObject",
            [
                "name": .string(model.title), "description": .string(model.description),
                "thumbnailUrl": .url(model.image?.url), "contentUrl": .string(url.description),
                "uploadDate": .string(video.uploaded), "duration": .string(video.duration),
                "encodingFormat": .string(video.type), "width": .number(video.width),
                "height": .number(video.height),
            ])
    }

    private func nodes(_ schema: PageModel.Schema, of model: PageModel) -> [SchemaValue] {
        switch schema {
        case .type(let type):
            return [
                .object(
                    type: type,
                    [
                        "name": .string(model.title), "description": .string(model.description),
                        "url": .url(model.url), "image": .url(model.image?.url),
                    ])
            ]
        case .nodes(.array(let nodes)): return nodes
        case .nodes(let node):
            // A document of its own: its nodes join the others.
            guard
                case .array(let nodes)? = node.members.first(where: { $0.name == "@graph" })?.value
            else { return [node.withoutSchemaContext] }
            return nodes
        }
    }

    private func breadcrumbs(_ steps: [PageModel.Breadcrumb]) -> SchemaValue {
        let items = steps.enumerated().map { index, step in
            SchemaValue.object(
                type: "ListItem",
                [
                    "position": .number(index + 1), "name": .string(step.name),
                    "item": .url(step.url),
                ])
        }
        return .object(type: "BreadcrumbList", ["itemListElement": .array(items)])
    }

    private func node(_ organization: PageModel.Organization) -> SchemaValue {
        .object(
            type: "Organization",
            [
                "name": .string(organization.name), "url": .url(organization.url),
                "logo": .url(organization.logo),
                "sameAs": .oneOrMore(organization.sameAs.compactMap { .url($0) }),
            ])
    }
}

extension SchemaValue {
    fileprivate static func url(_ text: String?) -> SchemaValue? {
        text.flatMap { PageURL($0) }.map { .string($0.description) }
    }

    fileprivate static func oneOrMore(_ values: [SchemaValue]) -> SchemaValue? {
        values.count > 1 ? .array(values) : values.first
    }

    /// The graph names its context once.
    fileprivate var withoutSchemaContext: SchemaValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.filter { member in
                guard member.name == "@context", case .string(let context) = member.value else {
                    return true
                }
                return !["https://schema.org", "http://schema.org", "https://schema.org/"]
                    .contains(context)
            })
    }
}
