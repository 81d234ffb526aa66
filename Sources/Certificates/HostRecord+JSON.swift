import Diagnostics
import JSONSyntax
import URISyntax

extension HostRecord {
    /// The record of a text that `json` has written; nil if it is another text.
    package init?(json bytes: [UInt8]) {
        let document = JSONDocument(bytes, file: "")
        guard document.isValid, let root = document.root, root.members != nil else { return nil }
        let records = (root["records"]?.elements ?? []).compactMap { element in
            element["name"]?.text.flatMap { name in
                element["value"]?.text.map { ChallengeRecord(name: name, value: $0) }
            }
        }
        self.init(openRecords: records)
        order = OrderProgress(
            order: root["order"]?.text, replaced: root["replaced"]?.text,
            authority: root["orderAuthority"]?.text)
        turn = AuthorityTurn(root["turn"])
        issuer = root["issuer"]?.text
        renewAt = number(root["renewAt"])
        if let start = number(root["window"]?["start"]), let end = number(root["window"]?["end"]) {
            window = RenewalSchedule.Window(start: start, end: end)
        }
        nextInquiry = number(root["nextInquiry"])
        challenge = root["challenge"]?.text.flatMap(ChallengeType.init)
        failures = max(0, number(root["failures"]) ?? 0)
        outages = min(max(0, number(root["outages"]) ?? 0), failures)
        nextTry = number(root["nextTry"])
        lastFault = root["lastFault"]?.text
        lastFaultTime = number(root["lastFaultTime"])
        lastSuccess = number(root["lastSuccess"])
        replacements = max(0, number(root["replacements"]) ?? 0)
        limitedUntil = number(root["limitedUntil"])
        hurried = (root["hurried"]?.elements ?? []).compactMap { number($0) }
        isRevoked = root["revoked"]?.boolean ?? false
        isRenewalOrdered = root["renewalOrdered"]?.boolean ?? false
    }

    /// The text of its file.
    package var json: [UInt8] {
        let window = window.map { window in
            JSONText.object([("start", .number(window.start)), ("end", .number(window.end))])
        }
        let records: JSONText? =
            openRecords.isEmpty
            ? nil
            : .array(
                openRecords.map {
                    .object([("name", .string($0.name)), ("value", .string($0.value))])
                })
        let all: [(key: String, value: JSONText?)] = [
            ("order", order.order.map(JSONText.string)),
            ("replaced", order.replaced.map(JSONText.string)),
            ("orderAuthority", order.authority.map(JSONText.string)), ("turn", turn.json),
            ("issuer", issuer.map(JSONText.string)),
            ("renewAt", renewAt.map(JSONText.number)), ("window", window),
            ("nextInquiry", nextInquiry.map(JSONText.number)),
            ("challenge", challenge.map { .string($0.rawValue) }),
            ("failures", .number(failures)),
            ("outages", outages == 0 ? nil : .number(outages)),
            ("nextTry", nextTry.map(JSONText.number)),
            ("lastFault", lastFault.map(JSONText.string)),
            ("lastFaultTime", lastFaultTime.map(JSONText.number)),
            ("lastSuccess", lastSuccess.map(JSONText.number)),
            ("replacements", replacements == 0 ? nil : .number(replacements)),
            ("limitedUntil", limitedUntil.map(JSONText.number)),
            ("hurried", hurried.isEmpty ? nil : .array(hurried.map(JSONText.number))),
            ("records", records),
            ("revoked", isRevoked ? .boolean(true) : nil),
            ("renewalOrdered", isRenewalOrdered ? .boolean(true) : nil),
        ]
        let members = all.compactMap { key, value in value.map { (key: key, value: $0) } }
        return Array(JSONText.object(members).formatted.utf8)
    }
}

/// A time or a count of a JSON text; nil if it is another value, or none that can be reckoned with.
func number(_ value: JSONValue?) -> Int? {
    guard case .number(let digits)? = value?.content, let number = Int(digits),
        (-1 << 50..<1 << 50).contains(number)
    else { return nil }
    return number
}

/// An authority's suggestion for the renewal of a certificate (RFC 9773 §4.2).
package struct RenewalInfo: Hashable, Sendable {
    package let window: RenewalSchedule.Window?
    package let explanation: String?
    /// The time to ask again, in seconds since 1970; nil if the answer names none.
    package let retryTime: Int?

    init(window: RenewalSchedule.Window?, explanation: String?, retryTime: Int?) {
        (self.window, self.explanation, self.retryTime) = (window, explanation, retryTime)
    }

    /// The URL that it is requested at.
    /// - Parameter id: `ServerCertificate.renewalID`.
    package static func url(_ directory: ACMEDirectory, _ id: String) -> String? {
        directory.renewalInfo.map { base in
            base.utf8.last == UInt8(ascii: "/") ? base + id : "\(base)/\(id)"
        }
    }

    /// Reads a response; nil if it is no answer.
    package init?(_ response: ACMEResponse, now: Int) {
        guard response.isSuccess, let json = response.json,
            let suggested = json["suggestedWindow"],
            let start = seconds(suggested["start"]?.text), let end = seconds(suggested["end"]?.text)
        else { return nil }
        window = RenewalSchedule.Window(start: start, end: end)
        explanation = json["explanationURL"]?.text.map { shortened($0, scalarsMax: 500) }
        retryTime = response.retryTime(now: now)
    }
}

/// A time of RFC 3339, whose fraction of a second is of no interest.
private func seconds(_ text: String?) -> Int? {
    guard let text else { return nil }
    var bytes = Array(text.utf8)
    if let dot = bytes.firstIndex(of: UInt8(ascii: ".")) {
        let end = bytes[(dot + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
        bytes.removeSubrange(dot..<end)
    }
    return (try? Timestamp(String(decoding: bytes, as: UTF8.self)))?.seconds
}
