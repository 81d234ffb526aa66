import HTTPMessages
import Testing

@Suite("Forms with files (RFC 7578)")
struct MultipartFormTests {
    private let type = "multipart/form-data; boundary=----x7"

    private func read(
        _ text: String, _ type: String? = nil
    ) throws(MultipartForm.Fault) -> [MultipartForm.Part] {
        try MultipartForm(Array(text.utf8), type: type ?? self.type).parts
    }

    /// A part as browsers write it.
    private func part(_ names: String, _ content: String, _ more: String = "") -> String {
        "------x7\r\nContent-Disposition: form-data; \(names)\r\n\(more)\r\n\(content)\r\n"
    }

    @Test func `what a browser sends is read`() throws {
        let text =
            part(#"name="a""#, "1") + part(#"name="empty""#, "")
            + part(
                #"name="file"; filename="b %22é%22.csv""#, "x\r\n\r\n--\r\n",
                "Content-Type: text/csv\r\n")
            + part(#"name="none"; filename="""#, "", "content-type: application/octet-stream\r\n")
        for end in ["------x7--", "------x7--\r\n"] {
            let parts = try read(text + end)
            #expect(parts.map(\.name) == ["a", "empty", "file", "none"])
            #expect(parts.map(\.fileName) == [nil, nil, #"b "é".csv"#, ""])
            #expect(
                parts.map { String(decoding: $0.content, as: UTF8.self) }
                    == ["1", "", "x\r\n\r\n--\r\n", ""])
        }
        #expect(try read("------x7--\r\n") == [])
    }

    /// A content has the beginning of its boundary at every place and of every length, and is what it is.
    @Test func `a boundary that does not end is content`() throws {
        let boundary = "\r\n------x7"
        for length in 0..<boundary.utf8.count {
            for repetition in 1...3 {
                let beginning = String(decoding: boundary.utf8.prefix(length), as: UTF8.self)
                let content = String(repeating: beginning, count: repetition)
                let parts = try read(part(#"name="a""#, content) + "------x7--")
                #expect(parts.map { String(decoding: $0.content, as: UTF8.self) } == [content])
            }
        }
    }

    /// Whatever is cut off a content, and wherever, it is none.
    @Test func `a content that ends early is none`() throws {
        let text = part(#"name="a"; filename="b""#, "one\r\ntwo") + "------x7--\r\n"
        for length in 0..<text.utf8.count where length != text.utf8.count - 2 {
            let bytes = Array(text.utf8.prefix(length))
            #expect(throws: MultipartForm.Fault.self, "\(length)") {
                try MultipartForm(bytes, type: type)
            }
        }
        #expect(try read(text).count == 1)
    }

    @Test(
        "heads that no browser writes are refused",
        arguments: [
            #"name="a" "#, #"name=a"#, #"filename="a""#, #"name="a"; name="b""#, #"name="a";"#,
            #"name="a"; filename*="b""#, #"name="a\"b""#, "name=\"a\0\"", #"name="a"; x="y""#,
            "name=\"a\"\r\nContent-Transfer-Encoding: base64",
            "name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"", "name=\"a\"\r\n folded: x",
            "name=\"a\"\nContent-Type: a",
        ])
    func heads(_ names: String) {
        #expect(throws: MultipartForm.Fault.head) {
            try read(part(names, "1") + "------x7--")
        }
    }

    @Test(
        "boundaries are those of RFC 2046",
        arguments: [
            ("multipart/form-data; boundary=----x7", true),
            ("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"----x7\"", true),
            ("multipart/form-data", false), ("multipart/form-data; boundary=", false),
            ("multipart/mixed; boundary=----x7", false),
            ("multipart/form-data; boundary=\"----x7", false),
            ("multipart/form-data; boundary=----x7; boundary=----x7", false),
            ("multipart/form-data; boundary=\"----x7 \"", false),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", false),
        ])
    func boundaries(_ type: String, isOne: Bool) throws {
        let content = part(#"name="a""#, "1") + "------x7--"
        if isOne {
            #expect(try read(content, type).count == 1)
        } else {
            #expect(throws: MultipartForm.Fault.boundary) { try read(content, type) }
        }
    }

    @Test(
        "what is around the parts is nothing",
        arguments: [
            "x\r\n------x7--", "------x7--x", "------x7--\r\nx", "------x7-", "------x7x\r\n",
        ]
    )
    func around(_ text: String) {
        #expect(throws: MultipartForm.Fault.unfinished) { try read(text) }
    }

    @Test func `limits hold, and one less is taken`() throws {
        let one = part(#"name="a""#, "1")
        let all = String(repeating: one, count: MultipartForm.partsMax)
        #expect(try read(all + "------x7--").count == MultipartForm.partsMax)
        #expect(throws: MultipartForm.Fault.tooManyParts) { try read(all + one + "------x7--") }
        func named(_ count: Int) -> String {
            part("name=\"\(String(repeating: "a", count: count))\"", "1") + "------x7--"
        }
        #expect(try read(named(MultipartForm.nameBytesMax)).count == 1)
        #expect(throws: MultipartForm.Fault.head) {
            try read(named(MultipartForm.nameBytesMax + 1))
        }
        func typed(_ count: Int) -> String {
            let fixed = "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: \r\n\r\n"
            let type = String(repeating: "t", count: count - fixed.utf8.count)
            return part(#"name="a""#, "1", "Content-Type: \(type)\r\n") + "------x7--"
        }
        #expect(try read(typed(MultipartForm.headBytesMax)).count == 1)
        #expect(throws: MultipartForm.Fault.head) {
            try read(typed(MultipartForm.headBytesMax + 1))
        }
    }
}
