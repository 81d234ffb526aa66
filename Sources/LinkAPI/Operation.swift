/// One operation of the API: its route, the decoding of a request, and its decision. The table of all
/// is `APIRoute.all`.
protocol Operation: SendableMetatype {
    static var route: APIRoute { get }

    /// Decodes a request that was let in, and finds what it is about.
    init(call: APICall) throws(Problem)

    /// Decides, does what is asked for, and answers.
    func answer() throws(Problem) -> APIResponse
}

extension Operation {
    typealias Answer = APIRoute.Answer

    /// Its row of the table.
    static var row: APIRoute {
        var row = route
        row.operation = Self.self
        return row
    }
}
