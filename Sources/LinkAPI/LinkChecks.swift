import Associations
import Diagnostics
import JSONSyntax
import LinkIndex
import LinkStore
private import Resolution
import SiteConfiguration
private import URISyntax

extension String {
    /// True if it is a name that the API gives to links by itself (`externalId`).
    var isOwnName: Bool { utf8.starts(with: "firebase:".utf8) }
}

extension LinkAPI {
    /// Reads a link with the faults of its form, to which `check` adds those of its meaning.
    func read(
        _ json: JSONValue
    ) throws(Problem) -> (description: LinkDescription, faults: [PointedFault]) {
        let (description, found) = LinkDescription.read(json)
        let faults = found.filter { $0.diagnostic.severity == .error }.map(PointedFault.init)
        guard let description else { throw .invalid(faults) }
        return (description, faults)
    }

    /// - Parameters:
    ///   - found: the faults of its form.
    ///   - purpose: a link that exists keeps what it has.
    /// - Throws: every fault of the described link.
    func check(
        _ description: LinkDescription, _ found: [PointedFault], _ actor: Actor, at now: Int,
        for purpose: CheckPurpose = .making
    ) throws(Problem) -> (ServedCollection, LinkContent) {
        var faults = found
        let allowed = collections.filter { actor.mayUse($0.name.description) }
        let name =
            description.collection
            ?? (allowed.count == 1 ? allowed[0].name.description : nil)
        guard let name else {
            // What is wrong with its name has been found.
            let isNamed = found.contains { $0.pointer == "/collection" }
            throw .invalid(
                found
                    + (isNamed
                        ? []
                        : [
                            PointedFault(
                                "", .missingKey, "the link lacks its \"collection\"",
                                advice: advice(on: allowed))
                        ]))
        }
        guard let collection = collection(name, of: actor) else {
            // For a person, whose number is negative, collections of others do not exist.
            if actor.number >= 0, collections.contains(where: { $0.name.description == name }) {
                throw Problem(
                    .collectionNotAllowed,
                    "the token \(quoted(actor.name)) is not for \(quoted(name))")
            }
            let nearest = nearestName(to: name, among: allowed.map(\.name.description))
            throw .invalid(
                found + [
                    PointedFault(
                        "/collection", .unknownName, "there is no collection \(quoted(name))",
                        advice: nearest.map(didYouMean) ?? advice(on: allowed))
                ])
        }
        let bytes = description.detailsText?.utf8.count ?? 0
        if bytes > LinkRecord.detailsBytesMax {
            faults.append(
                PointedFault(
                    "", .tooMany,
                    "page, web, campaign, after and app have \(bytes) bytes as JSON, may have "
                        + "\(LinkRecord.detailsBytesMax)", advice: "keep what is long elsewhere"))
        }
        if let note = description.note, note.utf8.count > LinkContent.noteBytesMax,
            !purpose.keeps(note: note)
        {
            faults.append(
                PointedFault(
                    "/note", .tooMany,
                    "the note has \(note.utf8.count) bytes, may have "
                        + "\(LinkContent.noteBytesMax)", advice: "keep what is long elsewhere"))
        }
        if purpose.isNew, let slug = description.slug { faults += collection.faults(ofSlug: slug) }
        if let name = description.externalID, name.isOwnName, !purpose.allows(name, actor) {
            faults.append(
                PointedFault(
                    "/externalId", .wrongValue,
                    "\(quoted(name)) is a name that Waymark gives to short links itself",
                    advice: "leave it out; an export that has it is imported with a token for all "
                        + "collections and the scope links.write"))
        }
        let kept = purpose.urls
        faults += collection.faults(ofDestinationsOf: description, in: self, keeping: kept)
        if !purpose.takesOddEscapes {
            let odd = collection.oddEscapes(in: description)
            faults += odd.filter { !kept.contains($0.url) }.map(\.fault)
        }
        let leads =
            purpose.leadsNowhere || description.destination != nil
            || description.details.web?.otherwise != nil
            || collection.link.web?.otherwise != nil
            || found.contains { $0.pointer == "/destination" || $0.pointer.hasPrefix("/web") }
        if !leads {
            faults.append(
                PointedFault(
                    "", .missingKey, "the link lacks its \"destination\"",
                    advice: "write the URL to which browsers are led, or `web` with a `default`"))
        }
        if purpose.isNew, !purpose.allowsPast, let until = description.until, until.seconds <= now {
            faults.append(
                PointedFault(
                    "/until", .wrongValue, "\(until) is over, so nobody would get the link",
                    advice: "write a later time, or none"))
        }
        guard faults.isEmpty else {
            var problem = Problem.invalid(faults)
            if purpose.isNew, let slug = description.slug,
                !faults.contains(where: { $0.pointer == "/slug" })
            {
                problem.wanted = (collection, slug)
            }
            throw problem
        }
        return (collection, LinkContent(description))
    }

    func advice(on collections: [ServedCollection]) -> String {
        let names = collections.map(\.name.description).sorted()
        guard names.isEmpty else { return listed(names, as: "collection") }
        return self.collections.isEmpty
            ? "the configuration has no link with `stored`"
            : "none of its collections is in the configuration"
    }

    /// Warnings about what is legal, and perhaps not meant.
    func warnings(
        _ description: LinkDescription, _ collection: ServedCollection, _ slug: String
    ) -> [PointedFault] {
        var found = collection.missingFiles(of: description)
        if collection.apps(opening: slug).isEmpty {
            found.append(
                PointedFault(
                    "", .unpublished,
                    "no app opens the link, because `publish` does not have "
                        + quoted(collection.link.key)))
        }
        if let destination = description.destination {
            if let site = site(of: destination.host.description),
                let url = try? LinkURL(destination.description),
                !site.resolver.identifiers(opening: url).isEmpty
            {
                found.append(
                    PointedFault(
                        "/destination", .redirectLoop,
                        "an app opens the destination, but after a redirect iOS mostly stays in "
                            + "the browser"))
            }
        }
        let url = collection.url(slug)
        if url.utf8.count > Self.fineURLBytesMax {
            found.append(
                PointedFault(
                    "/slug", .slugForm,
                    "the URL has \(url.utf8.count) bytes; its QR code is fine from "
                        + "\(Self.fineURLBytesMax) on"))
        }
        return found
    }

    /// A QR code of version 4 has as many with error correction M.
    private static let fineURLBytesMax = 60
}

extension LinkAPI {
    /// The fault of a line with the id of another link.
    func fault(idOf other: StoredLink) -> PointedFault {
        PointedFault(
            "/id", .wrongValue,
            "the link \(quoted("\(other.collection)/\(other.slug)")) has this id",
            advice: "leave `id` out, or give the line the collection and the slug of that link")
    }

    /// A conflict in words for people. A link of a collection that the token is not for is not named.
    func fault(_ conflict: LinkConflict, for actor: Actor, in store: LinkStore) -> PointedFault {
        switch conflict {
        case .slugTaken(let other, let isDeleted):
            return PointedFault(
                "/slug", .slugTaken,
                isDeleted
                    ? "\(quoted(other)) belonged to a link that was deleted"
                    : "\(quoted(other)) is taken",
                advice: isDeleted
                    ? "choose another: printed codes would lead elsewhere" : "choose another")
        case .idTaken:
            return PointedFault(
                "/id", .wrongValue, "another link has this id",
                advice: "leave `id` out, or import where the link was exported from")
        case .externalIDTaken(let other):
            let link = try? store.link(other)
            guard let link, actor.mayUse(link.collection) else {
                return PointedFault(
                    "/externalId", .externalIDTaken, "a link of another collection has it",
                    advice: "choose another, or ask whoever runs the origin")
            }
            return PointedFault(
                "/externalId", .externalIDTaken, "the link \(other) has it",
                advice: "change that link, or choose another")
        }
    }
}

extension LinkContent {
    init(_ description: LinkDescription) {
        self.init()
        // One form, so that it is found, and an import that writes the other one changes nothing.
        destination = description.destination?.withoutDefaultPort.description
        details = description.detailsText
        (tags, note) = (description.tags, description.note)
        (isDisabled, isArchived) = (description.isDisabled, description.isArchived)
        (from, until) = (description.from?.seconds, description.until?.seconds)
        externalID = description.externalID
    }
}
