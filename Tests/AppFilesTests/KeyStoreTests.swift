import TestSupport
import Testing

@testable import AppFiles

@Suite("Key stores")
struct KeyStoreTests {
    private func keys(_ name: String, _ passwords: String...) throws -> [AppSigningKey] {
        try AppFile.read(
            ByteSource(Made.bytes(name)), passwords: passwords.map { Array($0.utf8) }
        ).compactMap { declaration in
            if case .key(let key) = declaration { key } else { nil }
        }
    }

    private func fingerprint(_ name: String) throws -> String {
        String(decoding: try Made.bytes(name).prefix(95), as: UTF8.self)
    }

    @Test(
        "a certificate that is not encrypted needs no password",
        arguments: [
            ("shop.jks", "upload"), ("plain.pkcs12", nil), ("shop.pem", nil), ("shop.cer", nil),
        ] as [(String, String?)])
    func plain(_ name: String, _ alias: String?) throws {
        let key = AppSigningKey(alias: alias, fingerprint: try fingerprint("keys.txt"))
        #expect(try keys(name) == [key])
        #expect(try keys(name, "other") == [key])
    }

    @Test(
        "a certificate in PEM is read behind what tools of OpenSSL write before it",
        arguments: [
            "\u{FEFF}", "\n", "Certificate:\n    Data:\n        Version: 3 (0x2)\n",
            "Bag Attributes\n    friendlyName: upload\n",
        ])
    func textBefore(_ text: String) throws {
        let bytes = Array(text.utf8) + (try Made.bytes("shop.pem"))
        let found = try AppFile.read(ByteSource(bytes))
        guard case .key(let key)? = found.first else {
            Issue.record("\(found)")
            return
        }
        #expect(key.fingerprint == (try fingerprint("keys.txt")))
    }

    @Test(
        "an encrypted certificate is read with its password",
        arguments: [
            ("shop.pkcs12", "keys.txt", "k"), ("triple-des.pkcs12", "store-key.txt", "upload"),
        ])
    func encrypted(_ name: String, _ key: String, _ alias: String) throws {
        let found = [AppSigningKey(alias: alias, fingerprint: try fingerprint(key))]
        #expect(try keys(name, "password") == found)
        #expect(try keys(name, "other", "password") == found)
        #expect(
            try keys(name)
                == [AppSigningKey(alias: nil, fingerprint: nil, unread: .needsPassword)])
        for wrong in ["other", "", "passwor", "password\n"] {
            #expect(
                throws: FormatFault.self, "\(wrong)", performing: { try keys(name, wrong) })
        }
    }

    @Test func `another encryption is named, and no password is asked for it`() throws {
        let key = AppSigningKey(
            alias: nil, fingerprint: nil, unread: .algorithm("RC2 with 40 bits"))
        #expect(try keys("rc2.pkcs12", "password") == [key])
        #expect(try keys("rc2.pkcs12") == [key])
    }

    @Test func `the work for a password has a limit`() throws {
        let bytes = try Made.bytes("iterations.pkcs12")
        let fault = #expect(throws: FormatFault.self) {
            try AppFile.read(ByteSource(bytes), passwords: [Array("password".utf8)])
        }
        #expect(
            fault?.fact
                == "has an encryption of 3000000 iterations, may have 2000000 in all")
        // 10,000 for each password, and of one more there would be too many.
        let many = [[UInt8]](repeating: Array("other".utf8), count: 200)
        func refusal(_ passwords: [[UInt8]]) throws -> String? {
            let store = try Made.bytes("shop.pkcs12")
            do throws(FormatFault) {
                _ = try AppFile.read(ByteSource(store), passwords: passwords)
                return nil
            } catch {
                return error.fact
            }
        }
        #expect(try refusal(many) == "is a key store with another password, or is damaged")
        #expect(
            try refusal(many + [many[0]])
                == "has an encryption of 10000 iterations for each of 201 passwords, may have 2000000 in all"
        )
    }

    @Test(
        "a damaged store is read or refused with its password",
        arguments: ["shop.pkcs12", "triple-des.pkcs12", "rc2.pkcs12"])
    func damaged(_ name: String) throws {
        let bytes = try Made.bytes(name)
        for index in bytes.indices {
            var mutant = bytes
            mutant[index] ^= [0x01, 0x80, 0xFF][index % 3]
            _ = try? AppFile.read(ByteSource(mutant), passwords: [Array("password".utf8)])
        }
    }
}
