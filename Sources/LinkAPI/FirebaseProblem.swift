import Diagnostics
import Resolution

// Problems in the form of Google's APIs.

extension ProblemKind {
    /// Google's APIs have no 422.
    var firebaseStatus: Int { status == 422 ? 400 : status }
}

extension Problem {
    /// The members of a request have these faults.
    static func firebase(_ faults: [FirebaseFault]) -> Problem {
        .invalid(faults.map { PointedFault($0.parameter, .wrongValue, $0.detail) })
    }

    /// The same in the form of Google's APIs (google.rpc.Status).
    var firebaseResponse: APIResponse {
        let status = kind.firebaseStatus
        let faults = listedErrors.map { fault in
            // What the link's reader has found is at a pointer of the link, and duplicates are at
            // one of the request, whose members are named with full stops here.
            let parameter = FirebaseFault(at: fault.pointer, "").parameter
            let isOfRequest = fault.rule == .duplicateKey
            let field =
                isOfRequest
                ? String(fault.pointer.dropFirst()).replacing("/", with: ".") : fault.pointer
            return (field: parameter.isEmpty ? field : parameter, fault.detail)
        }
        let first = faults.first.map { $0.field.isEmpty ? $0.1 : "\($0.field): \($0.1)" }
        var members: [(key: String, value: JSONText)] = [
            ("code", .number(status)), ("message", .string(first ?? detail ?? kind.title)),
            ("status", .string(Self.code(of: status))),
        ]
        if !faults.isEmpty {
            let violations = faults.map { field, detail in
                JSONText.object([("field", .string(field)), ("description", .string(detail))])
            }
            members.append(
                (
                    "details",
                    .array([
                        .object([
                            ("@type", .string("type.googleapis.com/google.rpc.BadRequest")),
                            ("fieldViolations", .array(violations)),
                        ])
                    ])
                ))
        }
        var response = APIResponse(status, .object([("error", .object(members))]), fields: fields)
        response.isMiss = isMiss
        return response
    }

    /// The name of a status (google.rpc.Code).
    private static func code(of status: Int) -> String {
        switch status {
        case 401: "UNAUTHENTICATED"
        case 403: "PERMISSION_DENIED"
        case 404: "NOT_FOUND"
        case 409: "ALREADY_EXISTS"
        case 429, 507: "RESOURCE_EXHAUSTED"
        case 503: "UNAVAILABLE"
        default: "INVALID_ARGUMENT"
        }
    }
}
