import Diagnostics
import JSONSyntax
import URISyntax

extension PointedFault {
    /// A text that has too many combining marks in a row.
    static func marks(_ pointer: String, _ subject: String) -> PointedFault {
        PointedFault(
            pointer, .wrongValue,
            "\(subject) has more than \(combiningMarksMax) combining marks in a row",
            advice: "remove the marks; no language has so many")
    }
}

extension JSONValue {
    /// The first text or key that has too many combining marks in a row. Texts may be compared only
    /// when it was looked for.
    var faultOfMarks: PointedFault? {
        var path = [String]()
        return faultOfMarks(&path)
    }

    private func faultOfMarks(_ path: inout [String]) -> PointedFault? {
        switch content {
        case .string(let text):
            return text.hasTooManyMarks ? .marks(jsonPointer(path), "the text") : nil
        case .array(let elements):
            return fault(in: elements.enumerated().lazy.map { ("\($0)", $1) }, &path)
        case .object(let members):
            if members.contains(where: \.key.hasTooManyMarks) {
                return .marks(jsonPointer(path), "a member's name")
            }
            return fault(in: members.lazy.map { ($0.key, $0.value) }, &path)
        default: return nil
        }
    }

    private func fault(
        in parts: some Sequence<(String, JSONValue)>, _ path: inout [String]
    ) -> PointedFault? {
        for (name, value) in parts where value.hasTexts {
            path.append(name)
            defer { path.removeLast() }
            if let fault = value.faultOfMarks(&path) { return fault }
        }
        return nil
    }

    private var hasTexts: Bool {
        switch content {
        case .string, .array, .object: true
        default: false
        }
    }
}
