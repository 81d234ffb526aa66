/// The pages of the console. It has no thread, no socket and no clock, and knows the store only through the operations of
/// the API, so that a page can show and change what its person could with a token, and nothing else.
package enum Console {
    /// Answers a request of somebody who is signed in.
    package static func answer(_ request: ConsoleRequest, _ api: ConsoleAPI) -> ConsoleResponse {
        switch request.path {
        case [] where request.method == .get: OverviewPage(request, api).response
        default: notice(.notFound, request.setting, person: request.person)
        }
    }

    /// A page that needs no session.
    package static func notice(
        _ notice: ConsoleNotice, _ setting: ConsoleSetting, person: ConsolePerson? = nil
    ) -> ConsoleResponse {
        NoticePage(notice: notice, person: person).response(setting)
    }
}
