import JSONSyntax
package import LinkStore
import SiteConfiguration

// What a request's content means is worked out before the store's thread is asked: a body of many
// faults takes as long as a hundred changes, and everybody who changes something would wait for it.

/// A described link that was checked.
struct CheckedLink: Sendable {
    let description: LinkDescription
    let collection: ServedCollection
    let content: LinkContent
}

/// The result of reading a request's content without the store.
struct Preparation: Sendable {
    let json: Result<JSONValue, Problem>
    /// The same with texts of too many combining marks, of which a link may have some already.
    let written: Result<JSONValue, Problem>
    /// The link that it describes, if the operation makes one.
    var checked: Result<CheckedLink, Problem>?
    /// The short link that it describes, if the operation makes one.
    var shortLink: Result<DescribedShortLink, Problem>?
    /// The result of applying it to a link that was read.
    var merged: Merged?
    /// The number of times that it was applied to a link.
    private(set) var merges = 0

    /// The result of applying a patch to one state of a link. It is a class for the same reason as
    /// `AdmittedRequest.SharedRoute`.
    final class Merged: Sendable {
        let link: LinkID
        let generation: Int
        let result: Result<CheckedLink, Problem>

        init(link: LinkID, generation: Int, result: Result<CheckedLink, Problem>) {
            (self.link, self.generation, self.result) = (link, generation, result)
        }
    }

    mutating func take(_ merged: Merged) {
        self.merged = merged
        merges += 1
    }

    /// After so many attempts a link is changed without another one in between.
    static let mergesMax = 3
}

extension AdmittedRequest {
    /// True if `LinkAPI.prepare` has something to do.
    package var hasContent: Bool { route.content != nil }
}

extension LinkAPI {
    /// Works out what the content means, as far as that needs no store.
    /// - Parameter now: seconds since 1970.
    package func prepare(_ admitted: inout AdmittedRequest, at now: Int) {
        guard admitted.hasContent else { return }
        let written: Result<JSONValue, Problem>
        do throws(Problem) {
            written = .success(try self.json(admitted.request.content, takesMarks: true))
        } catch {
            written = .failure(error)
        }
        let json: Result<JSONValue, Problem> = written.flatMap { root in
            root.faultOfMarks.map { .failure(.invalid([$0])) } ?? .success(root)
        }
        var preparation = Preparation(json: json, written: written)
        if let describe = admitted.route.describe {
            preparation.checked = json.flatMap { json in
                Result { () throws(Problem) in
                    try checked(describe(self, json, admitted.values), admitted.actor, at: now)
                }
            }
        }
        if let operation = admitted.route.operation as? any ShortLinkOperation.Type {
            preparation.shortLink = json.flatMap { json in
                Result { () throws(Problem) in
                    try DescribedShortLink(json, operation.form, self, admitted.actor, at: now)
                }
            }
        }
        admitted.preparation = preparation
    }

    /// Applies the content, which is a patch, to a link that the store's thread has read.
    /// - Parameter now: seconds since 1970.
    package func merge(_ admitted: inout AdmittedRequest, into link: StoredLink, at now: Int) {
        guard let patch = admitted.preparation?.written else { return }
        admitted.preparation?.take(
            Preparation.Merged(
                link: link.id, generation: link.generation,
                result: patch.flatMap { patch in
                    Result { () throws(Problem) in
                        try merged(patch, link, admitted.actor, at: now)
                    }
                }))
    }

    /// Reads a link and checks it.
    func checked(
        _ json: JSONValue, _ actor: Actor, at now: Int, for purpose: CheckPurpose = .making
    ) throws(Problem) -> CheckedLink {
        let (description, faults) = try read(json)
        let (collection, content) = try check(description, faults, actor, at: now, for: purpose)
        return CheckedLink(description: description, collection: collection, content: content)
    }
}
