import Diagnostics
import LinkIndex
import LinkStore
import URISyntax

/// Writes copies of the store and of the counted visits beside the store, named after the time.
struct BackUp: Operation {
    static let route = APIRoute(
        "backUp", "POST", "backup", [.admin], "Write a copy of the store beside it",
        isAboutAll: true, keepsAnswer: true, [Answer(201, "Backup")], problems: [.notFound])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        // To ask again would not help.
        guard !call.store.isShared else {
            throw Problem(
                .notFound, "the store is a database, whose copies its server's own tools make")
        }
        let digits = Timestamp(seconds: call.now).description.utf8.dropLast()
            .filter { $0.isDigit || $0.isLetter }
        let path = StoreBackup.freePath(
            "\(call.store.path).\(String(decoding: digits, as: UTF8.self))",
            milliseconds: call.milliseconds % 1_000)
        let backup = try orProblem { () throws(StoreError) in
            try StoreBackup(of: call.store, call.visits, to: path)
        }
        let hasVisits = call.visits != nil && backup.visitsError == nil
        return APIResponse(
            201,
            .object([
                ("path", .string(path)),
                ("visits", .orNull(hasVisits ? path + ".visits" : nil)),
                ("generation", .number(call.store.index.generation)),
                ("slugs", .number(call.store.index.count)),
            ]))
    }
}
