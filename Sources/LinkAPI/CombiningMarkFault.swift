private import Diagnostics

import JSONSyntax
import LinkStore
import SiteConfiguration
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
    var faultOfMarks: PointedFault? { faultOfMarks(keeping: []) }

    /// The first text or key that has too many combining marks in a row, and is not among those that
    /// are there already.
    func faultOfMarks(keeping kept: Set<[UInt8]>) -> PointedFault? {
        var (path, fault) = ([Step](), PointedFault?.none)
        findMarks(&path) { path, text, isKey in
            guard kept.isEmpty || !kept.contains(Self.place(path, text)) else { return false }
            let pointer = jsonPointer(path.map(\.name))
            fault = .marks(pointer, isKey ? "a member's name" : "the text")
            return true
        }
        return fault
    }

    /// The texts and keys with too many combining marks in a row, each with the members that it is in.
    /// Those of a list have no order.
    var markedTexts: Set<[UInt8]> {
        var (path, found) = ([Step](), Set<[UInt8]>())
        findMarks(&path) { path, text, _ in
            found.insert(Self.place(path, text))
            return false
        }
        return found
    }

    /// The name of a member, or the number of an element.
    private typealias Step = (name: String, isNumber: Bool)

    private static func place(_ path: [Step], _ text: String) -> [UInt8] {
        Array(jsonPointer(path.map { $0.isNumber ? "-" : $0.name }).utf8) + [0] + Array(text.utf8)
    }

    /// - Parameter found: gets the place of each text and of the object of each key; true for enough.
    /// - Returns: whether it was enough.
    @discardableResult
    private func findMarks(
        _ path: inout [Step], _ found: ([Step], String, _ isKey: Bool) -> Bool
    ) -> Bool {
        switch content {
        case .string(let text): return text.hasTooManyMarks && found(path, text, false)
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.hasTexts {
                path.append(("\(index)", true))
                defer { path.removeLast() }
                if element.findMarks(&path, found) { return true }
            }
        case .object(let members):
            for member in members where member.key.hasTooManyMarks {
                if found(path, member.key, true) { return true }
            }
            for member in members where member.value.hasTexts {
                path.append((member.key, false))
                defer { path.removeLast() }
                if member.value.findMarks(&path, found) { return true }
            }
        default: break
        }
        return false
    }

    private var hasTexts: Bool {
        switch content {
        case .string, .array, .object: true
        default: false
        }
    }
}

extension LinkAPI {
    /// The first text of a patch that has too many combining marks in a row, unless the link has it
    /// already, at the same place.
    func faultOfMarks(
        _ patch: JSONValue, changing link: StoredLink
    ) throws(Problem) -> PointedFault? {
        guard let fault = patch.faultOfMarks else { return nil }
        let before = try document(.object(writable(link)), takesMarks: true).markedTexts
        return before.isEmpty ? fault : patch.faultOfMarks(keeping: before)
    }
}

extension LinkContent {
    /// True if a change leaves the member at a pointer as it is: it may have come before there was a
    /// limit.
    func has(_ pointer: String, of description: LinkDescription) -> Bool {
        switch pointer.utf8.dropFirst().prefix(while: { $0 != UInt8(ascii: "/") }) {
        case let member where member.elementsEqual("tags".utf8):
            tags.elementsEqual(description.tags) { $0.isScalarwise($1) }
        case let member where member.elementsEqual("note".utf8):
            note != nil && note.isScalarwise(description.note)
        case let member where member.elementsEqual("externalId".utf8):
            externalID != nil && externalID.isScalarwise(description.externalID)
        default: false
        }
    }
}
