/// A page that needs no session: about signing in, and about requests that are not answered.
package enum ConsoleNotice: Sendable {
    /// The page of a one-time link, with the button that uses it up.
    /// - Parameter action: the path that the button sends a POST to.
    case signIn(action: String)
    /// The one-time link is wrong, used or too old; which of them is not said.
    case linkInvalid
    /// A passkey is unknown, or its answer is not right; which of them is not said.
    case passkeyInvalid
    /// There is no session, or the browser has not said so, because a page of elsewhere has led here.
    /// - Parameter path: that was asked for. A way to it from this page has the cookie.
    case signInNeeded(path: String)
    /// Another site has led here, so the browser has kept the session's cookie back. The page leads on: to the console with a
    /// session, and to signing in without one.
    case ledHere(path: String)
    case signedOut
    /// Leads a browser on to a provider.
    case leadingOn(to: String, String)
    /// A provider has signed somebody in; the page leads on to this path of the console.
    case signedIn(to: String)
    /// A provider's answer is to no attempt that is open in this browser.
    case attemptInvalid
    /// The provider has not signed the person in.
    case providerRefused(String)
    /// The provider does not answer.
    case providerAway(String)
    /// The provider's answer is not right.
    case providerWrong(String)
    /// No group of the person has a role.
    case noRole(String)
    /// Whom a proxy has signed in signs out there.
    case signedInByProxy
    /// A proxy has signed somebody in whom the console does not know; nil if it has named nobody.
    case unknownPerson(String?)
    /// The session has ended while a form was filled in. The page has the form's items, so that they can be sent again
    /// after signing in.
    case sessionEnded(action: String, form: [(name: String, value: String)])
    /// A POST that no page of the console has made.
    case otherOrigin
    /// Requests come too often. The page has the items of a form that was sent, so that they can be sent again.
    case tooMany(
        retryAfterSeconds: Int, action: String? = nil, form: [(name: String, value: String)] = [])
    /// Pages are asked for too often. The page leads to the address that was asked for.
    case tooOften(retryAfterSeconds: Int)
    case notFound
    /// The role of the person does not allow it.
    case notAllowed
    /// There is no collection in which the person can make links.
    case noCollection
    case methodNotAllowed
    case formTooLarge
    /// A table that is to be imported is longer than one may be.
    case tableTooLarge
    /// The content is no form of a page.
    case otherForm
    /// A form has a choice that no page offers.
    case foreignChoice
    case storeUnavailable
    /// The store cannot be reached, and a form was to change something. The page has the form's items, so that they can
    /// be sent again.
    case notSent(action: String, form: [(name: String, value: String)])
    case failed

    /// Whether its page offers to sign in, with a passkey or at a provider.
    var offersSignIn: Bool {
        switch self {
        case .linkInvalid, .passkeyInvalid, .signInNeeded, .ledHere, .signedOut, .attemptInvalid,
            .providerRefused, .providerAway, .providerWrong, .noRole:
            true
        default: false
        }
    }

    /// The name of the provider that it is about.
    var provider: String? {
        switch self {
        case .leadingOn(_, let name), .providerRefused(let name), .providerAway(let name),
            .providerWrong(let name), .noRole(let name):
            name
        default: nil
        }
    }

    var status: Int {
        switch self {
        case .noCollection, .signIn, .signedOut, .signedInByProxy, .leadingOn, .signedIn: 200
        case .signInNeeded, .ledHere, .sessionEnded: 401
        case .linkInvalid, .passkeyInvalid, .unknownPerson, .otherOrigin, .notAllowed, .noRole,
            .attemptInvalid, .providerRefused, .providerWrong:
            403
        case .foreignChoice: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .formTooLarge, .tableTooLarge: 413
        case .otherForm: 415
        case .tooMany, .tooOften: 429
        case .failed: 500
        case .storeUnavailable, .notSent, .providerAway: 503
        }
    }
}

extension ConsoleRequest {
    /// The page of a notice, in the language of the person.
    func notice(_ notice: ConsoleNotice) -> ConsoleResponse {
        Console.notice(notice, setting, person: person)
    }
}
