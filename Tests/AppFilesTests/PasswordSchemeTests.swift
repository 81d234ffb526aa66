import Testing

@testable import AppFiles

@Suite("Ways to encrypt with a password")
struct PasswordSchemeTests {
    private func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap(\.self)
        return [tag, UInt8(content.count)] + content
    }

    /// PBES2 with 10,000 iterations and a cipher of AES, whose number is given.
    private func algorithm(_ cipher: UInt8) -> [UInt8] {
        let standards: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05]
        let ciphers: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]
        let parameters = element(0x30, element(0x04, [1, 2]), element(0x02, [0x27, 0x10]))
        let function = element(0x30, element(0x06, standards + [0x0C]), parameters)
        let encryption = element(0x30, element(0x06, ciphers + [cipher]), element(0x04, [1]))
        return element(
            0x30, element(0x06, standards + [0x0D]), element(0x30, function, encryption))
    }

    @Test(
        "AES is read in CBC, and in other modes it is named",
        arguments: [(0x02, true), (0x16, true), (0x2A, true), (0x2B, false), (0x2E, false)]
            as [(UInt8, Bool)])
    func modes(_ cipher: UInt8, _ isKnown: Bool) {
        switch PasswordScheme(algorithm(cipher)) {
        case .known(let iterations): #expect(isKnown && iterations == 10_000)
        case .other(let name):
            #expect(!isKnown && name == "a cipher other than AES-CBC and Triple DES")
        }
    }
}
