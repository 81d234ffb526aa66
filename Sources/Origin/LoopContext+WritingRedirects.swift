import HTTPMessages
import Memory
import URISyntax

extension LoopContext {
    /// Another visitor may be sent elsewhere, so nobody keeps it.
    mutating func writeFound(_ location: [UInt8], _ ending: Ending) {
        writeStatusLine(.found)
        output.append("Location: ")
        output.append(location, 0..<location.count)
        output.append("\r\nContent-Length: 0\r\nCache-Control: private, no-store\r\n")
        output.append("Vary: User-Agent\r\n")
        finish(ending)
    }

    /// The host is one of ours and the target holds visible ASCII only, so nothing here can end
    /// the field line.
    mutating func writeRedirect(
        _ host: Range<Int>, _ port: UInt16?, _ target: Range<Int>, _ ending: Ending
    ) {
        writeStatusLine(.permanentRedirect)
        output.append("Location: ")
        writeLocation(host, port, target)
        output.append("\r\nContent-Length: 0\r\n")
        finish(ending)
    }

    mutating func writeMoved(_ location: [UInt8], _ ending: Ending) {
        writeStatusLine(.permanentRedirect)
        output.append("Location: ")
        output.append(location, 0..<location.count)
        output.append("\r\nContent-Length: 0\r\n")
        finish(ending)
    }

    /// An answer as it can wait for its request's content, without places in the input.
    mutating func keep(_ answer: consuming Answer, _ ending: Ending) -> WaitingAnswer {
        if case .redirect(let host, let port, let target) = answer {
            let start = output.count
            writeLocation(host, port, target)
            answer = .moved(Array(output.storage[start..<output.count]))
            output.removeAll(from: start)
        }
        return WaitingAnswer(answer: answer, ending: ending, snapshot: snapshot)
    }

    @inline(__always)
    private mutating func writeLocation(
        _ host: Range<Int>, _ port: UInt16?, _ target: Range<Int>
    ) {
        output.append("https://")
        output.append(input.storage, host)
        if let port {
            output.append(UInt8(ascii: ":"))
            output.append(decimal: Int(port))
        }
        if target.isEmpty || input.storage[target.lowerBound] != UInt8(ascii: "/") {
            output.append(UInt8(ascii: "/"))
        }
        writeTarget(target)
    }

    /// A target as a URL may hold it: clients send more, which is escaped (RFC 3986 §2.1).
    private mutating func writeTarget(_ target: Range<Int>) {
        guard escapesIn(target) > 0 else { return output.append(input.storage, target) }
        for index in target {
            let byte = input.storage[index]
            guard mustEscape(at: index, in: target) else {
                output.append(byte)
                continue
            }
            output.append(UInt8(ascii: "%"))
            output.append((byte >> 4).hexDigit)
            output.append((byte & 0xF).hexDigit)
        }
    }

    /// How many characters of a target no URL may hold.
    mutating func escapesIn(_ target: Range<Int>) -> Int {
        target.count { mustEscape(at: $0, in: target) }
    }

    private mutating func mustEscape(at index: Int, in target: Range<Int>) -> Bool {
        let byte = input.storage[index]
        guard byte == UInt8(ascii: "%") else { return !byte.isPathOrQueryCharacter }
        guard index + 2 < target.upperBound else { return true }
        return input.storage[index + 1].hexDigitValue == nil
            || input.storage[index + 2].hexDigitValue == nil
    }
}
