import Diagnostics

/// The list of an answer, in JSON. An answer waits in memory for its client, so a list has at least its first element, and no more after so
/// many bytes. It is written element by element, because the values of an element take many times the memory of its text.
struct BoundedList {
    private var text: String
    private var bytes = 0
    private(set) var count = 0

    /// - Parameter name: of the member that has the list.
    init<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ json: (Element) -> JSONText
    ) {
        text = "{\(JSONText.string(name).compact): ["
        for element in elements {
            let next = json(element).compact
            bytes += next.utf8.count
            guard count == 0 || bytes <= listBytesMax else { break }
            if count > 0 { text += ", " }
            text += next
            count += 1
        }
        text += "]"
    }

    /// An answer with the list, and other members behind it.
    func response(_ others: [(key: String, value: JSONText)] = []) -> APIResponse {
        var content = text
        for member in others {
            content += ", \(JSONText.string(member.key).compact): \(member.value.compact)"
        }
        content += "}\n"
        var response = APIResponse(200)
        response.content = Array(content.utf8)
        return response
    }
}

/// The most bytes of the elements of a list in one answer, unless it has only one.
let listBytesMax = 262_144
