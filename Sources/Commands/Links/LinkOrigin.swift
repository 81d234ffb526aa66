import ArgumentParser
import Diagnostics
import HTTPClient
private import HTTPMessages
import JSONSyntax
private import URISyntax

/// A running origin that is asked through its API.
struct LinkOrigin {
    let place: OriginPlace
    let token: String
    /// The arguments and options of the command, by the JSON Pointers of their members.
    var names = [String: String]()

    /// An answer of the API.
    struct Answer {
        let response: FetchResponse
        /// The content; null if there is none.
        let json: JSONValue?

        var status: Int { response.status }
        /// The state that was seen, for `If-Match`.
        var entityTag: String { field("etag") ?? "*" }
        /// A member of the content that is a text.
        subscript(_ key: String) -> String? { json?[key]?.text }
        /// The value of a field, whose name is in lower case.
        func field(_ name: String) -> String? { response.head.value(name) }
    }

    // MARK: Asking

    /// Sends a request; `json` has the members that it changes.
    /// - Parameters:
    ///   - path: after `/v1/`, with the query, escaped.
    ///   - accepted: statuses besides 200 to 299 that are no refusal.
    ///   - source: the text that `json` was read from: it is sent as it is, and has the positions of
    ///     what is wrong in it.
    /// - Throws: the exit status, after printing why the origin refuses.
    func ask(
        _ method: String, _ path: String, _ json: JSONText? = nil, match: String? = nil,
        accepting accepted: Set<Int> = [], from source: JSONSource? = nil
    ) throws(ExitCode) -> Answer {
        var request = request(method, path)
        if let match { request.fields.append("If-Match: \(match)") }
        if let json {
            request.content = source?.bytes ?? Array(json.compact.utf8)
            request.fields.append("Content-Type: application/json")
        }
        var client = place.client
        client.limits = Self.limits(seconds: Self.answerSeconds)
        let exchange = client.fetch(request)
        guard let response = exchange.response else {
            throw place.report(exchange, seconds: Self.answerSeconds)
        }
        let answer = try read(response)
        if 200..<300 ~= answer.status || accepted.contains(answer.status) { return answer }
        throw refusal(answer, source)
    }

    /// - Parameter path: after `/v1/`, with the query, escaped.
    func request(_ method: String, _ path: String) -> FetchRequest {
        var request = FetchRequest(
            isSecure: place.isSecure, host: place.host, port: place.port, target: "/v1/\(path)",
            fields: ["Authorization: Bearer \(token)"])
        request.method = method
        return request
    }

    static func limits(seconds: Int) -> FetchLimits {
        var limits = FetchLimits()
        limits.totalMilliseconds = seconds * 1_000
        limits.firstByteMilliseconds = seconds * 1_000
        limits.contentBytesMax = answerBytesMax
        return limits
    }

    func read(_ response: FetchResponse) throws(ExitCode) -> Answer {
        let type = response.head.value("content-type") ?? ""
        let isJSON = type.hasPrefix("application/json") || type.hasPrefix("application/problem")
        let json = isJSON ? JSONDocument(response.bytes, file: place.name).root : nil
        let isOfAPI =
            isJSON
            ? json != nil
            : 200..<300 ~= response.status && response.bytes.isEmpty
        guard isOfAPI else { throw place.reportForeign(response) }
        return Answer(response: response, json: json)
    }

    private static let answerSeconds = 35
    private static let answerBytesMax = 16 * 1_048_576

    // MARK: Refusals

    /// - Returns: the exit status, after printing everything that is wrong.
    func refusal(_ answer: Answer, _ source: JSONSource?) -> ExitCode {
        printProblem(answer.json, status: answer.status, source: source)
        return Self.exitStatus(for: answer.status)
    }

    /// The exit status of a command that the origin refuses with this status.
    static func exitStatus(for status: Int) -> ExitCode {
        switch status {
        case 401, 403: .noPermission
        case 408, 429, 503: .tryAgain
        case 500...: .ourFault
        default: .no
        }
    }

    /// Prints problem details (RFC 9457).
    /// - Parameters:
    ///   - position: of what was refused, if it is in a file.
    ///   - status: of the answer, if they are all of it.
    ///   - advice: what helps, where the status alone does not say it.
    func printProblem(
        _ problem: JSONValue?, at position: String? = nil, status: Int? = nil,
        source: JSONSource? = nil, advice: String? = nil
    ) {
        let faults = problem?["errors"]?.elements ?? []
        for fault in faults { printFault(fault, "error", source, at: position) }
        guard faults.isEmpty else { return }
        let fact = problem?["detail"]?.text ?? problem?["title"]?.text ?? "the origin refuses it"
        let kind = problem?["type"]?.text?.utf8.split(separator: UInt8(ascii: "/")).last
        let rule = kind.flatMap { String($0) } ?? status.map { "\($0)" } ?? "refused"
        printMessages(
            ["\(position ?? "waymark"): error: \(fact) [\(rule)]"]
                + ((advice ?? status.flatMap { self.advice(on: $0) }).map { ["    \($0)"] } ?? []))
    }

    private static let ownToken = "STORE.token (for a database, links.token in --state)"

    /// Advice on a refusal whose faults have none of their own.
    private func advice(on status: Int) -> String? {
        switch status {
        case 401 where !place.isAdmin:
            "give a token that `waymark tokens create` has printed; that in \(Self.ownToken) is only "
                + "for the admin listener, on the origin's machine"
        case 401:
            "give a token that `waymark tokens create` has printed, or as the origin's user that in "
                + "\(Self.ownToken), which is another one after each start"
        case 403:
            "a token with the scope admin can make one that is for this: `waymark tokens create`"
        case 413:
            "a link has at most \(JSONSource.bytesMax) bytes as JSON; keep what is long elsewhere"
        case 429: "run the command again in a second"
        case 503:
            "the origin's log says why, and whether it tries by itself: it does with a database, and not "
                + "where a file was removed or overwritten. Run the command again when that is mended"
        case 500...: "the origin's log says why"
        default: nil
        }
    }

    /// Prints the warnings in an answer about a link.
    func printWarnings(_ answer: Answer) {
        for warning in answer.json?["warnings"]?.elements ?? [] {
            printFault(warning, "warning", nil)
        }
    }

    /// Prints what is wrong at a JSON Pointer.
    /// - Parameter line: of a file that has the value.
    func printFault(
        _ fault: JSONValue, _ severity: String, _ source: JSONSource?, at line: String? = nil
    ) {
        // In a table, people look for the heading.
        let pointer = fault["heading"]?.text ?? fault["pointer"]?.text ?? ""
        let position =
            source?.position(of: pointer)
            ?? line.map { pointer.isEmpty ? $0 : "\($0):\(pointer)" }
            ?? (pointer.isEmpty ? "waymark" : name(of: pointer))
        let fact = fault["detail"]?.text ?? ""
        printMessages(
            ["\(position): \(severity): \(fact) [\(fault["rule"]?.text ?? "")]"]
                + (fault["advice"]?.text.map { ["    \($0)"] } ?? []))
    }

    /// The argument or option for the value at a JSON Pointer, or for the value that contains it.
    private func name(of pointer: String) -> String {
        var start = pointer[...]
        while let slash = start.utf8.lastIndex(of: UInt8(ascii: "/")) {
            if let name = names[String(start)] { return name }
            start = start[..<slash]
        }
        return pointer
    }

    // MARK: Links

    /// The link that a person means.
    /// - Parameter name: its id, its URL, or its collection, a slash, and its slug.
    /// - Throws: the exit status, after printing that there is no such link, or, unless
    ///   `alsoDeleted`, that it was deleted.
    func link(_ name: String, alsoDeleted: Bool = false) throws(ExitCode) -> Answer {
        let bytes = name.utf8
        let path: String
        if bytes.contains(UInt8(ascii: ":")) {
            path = "links:find?url=\(name.queryEscaped)"
        } else if let slash = bytes.firstIndex(of: UInt8(ascii: "/")) {
            let (collection, slug) = (name[..<slash], name[bytes.index(after: slash)...])
            path =
                "links:find?collection=\(String(collection).queryEscaped)"
                + "&slug=\(String(slug).queryEscaped)"
        } else {
            // Another text may be no segment of a path.
            guard Self.isID(name) else { throw missing(name) }
            path = "links/\(name)"
        }
        let answer = try ask("GET", path, accepting: [404, 410])
        if answer.json?["errors"] != nil { throw refusal(answer, nil) }
        if answer.status == 404 || answer["id"] == nil { throw missing(name) }
        if answer.status == 410, !alsoDeleted {
            printMessages([
                "waymark: error: the link \(quoted(name)) was deleted"
                    + (answer["deleted"].map { " at \($0)" } ?? ""),
                "    its slug stays taken; make another link with another slug",
            ])
            throw .no
        }
        return answer
    }

    /// The id of the link that a person means. One that is an id is not looked up, for which another
    /// scope would be needed.
    func id(of name: String) throws(ExitCode) -> String {
        Self.isID(name) ? name : try link(name, alsoDeleted: true)["id"] ?? ""
    }

    private static func isID(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.hexDigitValue != nil || $0 == UInt8(ascii: "-") }
    }

    /// - Returns: the exit status, after printing that there is no such link.
    func missing(_ name: String) -> ExitCode {
        printMessages([
            "waymark: error: there is no link \(quoted(name))",
            "    give its id, its URL, or COLLECTION/SLUG; `waymark links list` has all",
        ])
        return .no
    }

    /// Changes a link.
    /// - Parameter match: the entity tag of the state that was seen.
    /// - Throws: the exit status, after printing who has changed it meanwhile, or what is wrong.
    func change(
        _ link: Answer, _ patch: JSONText, match: String, from source: JSONSource? = nil
    ) throws(ExitCode) -> Answer {
        let answer = try ask(
            "PATCH", "links/\((link["id"] ?? "").queryEscaped)", patch, match: match,
            accepting: [412],
            from: source)
        guard answer.status == 412 else { return answer }
        throw changedMeanwhile(link)
    }

    /// - Returns: the exit status, after printing who has changed it.
    func changedMeanwhile(_ link: Answer) -> ExitCode {
        let id = link["id"] ?? ""
        // Not every token may read the audit.
        let audit = try? ask("GET", "audit?link=\(id.queryEscaped)", accepting: Set(400..<600))
        let last = audit?.json?["entries"]?.elements?.first
        var fact = "the link was changed meanwhile"
        if let actor = last?["actor"]?.text, let time = last?["time"]?.text {
            fact += " by \(quoted(actor)) at \(time)"
        }
        printMessages([
            "waymark: error: \(fact); nothing was done",
            "    look at it with `waymark links show \(id)`, and run the command again",
        ])
        return .no
    }
}

/// A text with JSON that a person has written.
struct JSONSource {
    let name: String
    let bytes: [UInt8]
    let json: JSONValue

    /// Reads a file, or standard input for `-`.
    /// - Throws: the exit status, after printing why it cannot be used.
    init(_ path: String) throws(ExitCode) {
        name = shownName(path)
        bytes = try readNamed(path, bytesMax: Self.bytesMax)
        let document = JSONDocument(bytes, file: name)
        document.diagnostics.printAsMessages()
        guard document.isValid, let json = document.root else { throw .configurationInvalid }
        self.json = json
    }

    /// As much as a request may have.
    static let bytesMax = 65_536

    /// The position of the value that a JSON Pointer names (RFC 6901), or of the one around it.
    func position(of pointer: String) -> String {
        var value = json
        for token in pointer.utf8.split(separator: UInt8(ascii: "/")) {
            let name = (String(token) ?? "").replacing("~1", with: "/").replacing("~0", with: "~")
            if let member = value[name] {
                value = member
            } else if let index = Int(name), let elements = value.elements,
                elements.indices.contains(index)
            {
                value = elements[index]
            } else {
                break
            }
        }
        return "\(name):\(value.start.line):\(value.start.column)"
    }
}
