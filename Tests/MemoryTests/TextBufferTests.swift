import Memory
import Testing

@Suite("Text that is put together")
struct TextBufferTests {
    @Test func `pieces follow each other`() {
        var text = TextBuffer(capacity: 200)
        let source = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        text.append("literal ")
        for count in [0, 1, 7, 8, 9, 26] { text.append(source, 26 - count..<26) }
        text.append(UInt8(ascii: " "))
        for number in [0, 9, 10, 99, 100, 12_345, Int.max] {
            text.append(decimal: number)
            text.append(" ")
        }
        text.repeatBytes(0..<7)
        #expect(
            String(decoding: text.array, as: UTF8.self)
                == "literal ztuvwxyzstuvwxyzrstuvwxyzabcdefghijklmnopqrstuvwxyz "
                + "0 9 10 99 100 12345 9223372036854775807 literal")
        text.removeAll()
        #expect(text.array == [])
    }

    /// Every byte at every place of a word, against the definition.
    @Test func `plain text ends at the first byte to be escaped, wherever it stands`() {
        var text = TextBuffer(capacity: 64)
        for byte in UInt8.min...UInt8.max {
            let escapes = byte < 0x20 || byte > 0x7E || byte == 0x22 || byte == 0x5C
            for position in 0..<19 {
                var source = [UInt8](repeating: UInt8(ascii: "a"), count: 19)
                source[position] = byte
                let end = escapes ? position : 19
                for start in [0, position] {
                    text.removeAll()
                    #expect(text.appendPlain(source, start..<19) == end)
                    #expect(text.array == Array(source[start..<end]))
                }
            }
        }
    }

    @Test func `bytes that border on those to be escaped are plain`() {
        var text = TextBuffer(capacity: 16)
        #expect(text.appendPlain(Array(" !#[]^_~ !#[]^_~".utf8), 0..<16) == 16)
        #expect(text.appendPlain([], 0..<0) == 0)
    }

    @Test func `what does not fit stops the program`() async {
        await #expect(processExitsWith: .failure) {
            var text = TextBuffer(capacity: 3)
            text.append("four")
        }
        await #expect(processExitsWith: .failure) {
            var text = TextBuffer(capacity: 9)
            text.append([1, 2], 0..<2)
            text.append([UInt8](repeating: 1, count: 8), 0..<8)
        }
    }
}
