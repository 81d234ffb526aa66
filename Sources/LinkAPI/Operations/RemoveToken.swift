import Diagnostics
import LinkStore

/// Removes a token.
struct RemoveToken: Operation {
    static let route = APIRoute(
        "removeToken", "DELETE", "tokens/{token}", [.admin], "Remove a token", isAboutAll: true,
        [Answer(204)])

    let call: APICall
    private let id: Int

    init(call: APICall) throws(Problem) {
        // A number has one form, as ids have.
        guard let id = Int(call.values[0]), "\(id)".isScalarwise(call.values[0]) else {
            throw .notFound
        }
        (self.call, self.id) = (call, id)
    }

    func answer() throws(Problem) -> APIResponse {
        let isRemoved = try call.transaction { _ throws(StoreError) in
            let name = try call.store.tokens().first { $0.id == id }?.name
            let isRemoved = try call.store.removeToken(id)
            if isRemoved { try call.note("remove token \(name ?? "\(id)")") }
            return isRemoved
        }
        guard isRemoved else { throw .notFound }
        return APIResponse(204)
    }
}
