import Memory
import URISyntax

// Texts of a line that are not in the loop's input: the request id, and the link's key.

extension AccessLine {
    /// Makes a request id of 32 hexadecimal digits. The first 16 are random and belong to this
    /// loop; the others are a counter, which at a million requests a second repeats after half a
    /// million years. The ids are unique but not secret: the next one can be guessed.
    package mutating func noteIdentifier() -> Range<Int> {
        var index = NoteRange.identifier.upperBound - 1
        while index >= NoteRange.identifier.lowerBound + 16 {
            switch notes[index] {
            case UInt8(ascii: "9"): notes[index] = UInt8(ascii: "a")
            case UInt8(ascii: "f"):
                notes[index] = UInt8(ascii: "0")
                index -= 1
                continue
            default: notes[index] += 1
            }
            break
        }
        return NoteRange.identifier
    }

    /// Copies the request id of a proxy, which has at most 128 bytes.
    package mutating func noteIdentifier(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let position = NoteRange.givenIdentifier.prefix(range.count)
        notes.copy(bytes, range.prefix(position.count), to: position.lowerBound)
        return position
    }

    /// Copies the name of a link.
    /// - Parameter slug: of a stored link; empty for none.
    package mutating func noteLink(_ name: String, slug: ArraySlice<UInt8> = []) -> Range<Int> {
        var end = NoteRange.link.lowerBound
        func room() -> Int { NoteRange.link.upperBound - end }
        for byte in name.utf8.prefix(room()) {
            notes[end] = byte
            end += 1
        }
        guard !slug.isEmpty, room() > 0 else { return NoteRange.link.lowerBound..<end }
        notes[end] = UInt8(ascii: "/")
        end += 1
        for byte in slug.prefix(room()) {
            notes[end] = byte
            end += 1
        }
        return NoteRange.link.lowerBound..<end
    }

    mutating func writeIdentifier(_ random: [UInt8]) {
        precondition(random.count * 2 == NoteRange.identifier.count)
        for (index, byte) in random.enumerated() {
            notes[2 * index] = (byte >> 4).lowerCaseHexDigit
            notes[2 * index + 1] = (byte & 0xF).lowerCaseHexDigit
        }
    }
}

/// The range of each note.
enum NoteRange {
    static let identifier = 0..<32
    static let serverName = 32..<288
    static let link = 288..<480
    static let givenIdentifier = 480..<608
    static let count = 608
}
