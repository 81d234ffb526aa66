/// A PDF of objects, which are numbered from 1; the first is the catalogue.
func pdfFile(_ objects: [[UInt8]]) -> [UInt8] {
    // A comment with bytes above 127 says that the file is binary.
    var file = Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
        let offset = String(file.count)
        table += String(repeating: "0", count: 10 - offset.utf8.count) + offset + " 00000 n \n"
        file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let start = file.count
    file += Array(
        (table + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n"
            + "\(start)\n%%EOF\n").utf8)
    return file
}

/// A number that is not negative, given in units of its last decimal place.
func decimal(_ number: Int, places: Int) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
    return "\(padded.dropLast(places)).\(padded.suffix(places))"
}
