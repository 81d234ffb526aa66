import JSONSyntax
import URISyntax

/// The client data of a ceremony (WebAuthn Level 3 §5.8.1): the browser writes it, and the authenticator signs its hash.
struct ClientData {
    let bytes: [UInt8]

    enum Ceremony: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    private static let bytesMax = 4_096

    /// Reads and checks it.
    /// - Throws: if it is of another ceremony, challenge or origin.
    init(
        _ bytes: [UInt8], _ ceremony: Ceremony, challenge: [UInt8], origin: String
    ) throws(PasskeyFault) {
        guard let root = Self.read(bytes), let type = root["type"]?.text,
            let text = root["challenge"]?.text, let written = root["origin"]?.text
        else { throw .malformed }
        guard type.utf8.elementsEqual(ceremony.rawValue.utf8) else { throw .otherCeremony }
        guard base64URLDecoded(text) == challenge else { throw .otherChallenge }
        // Frames of another origin are no pages of the console.
        guard written.utf8.elementsEqual(origin.utf8), root["crossOrigin"]?.boolean != true,
            root["topOrigin"] == nil
        else { throw .otherOrigin }
        self.bytes = bytes
    }

    /// The challenge that it says to be the answer to, before anything of it is checked.
    static func challenge(in bytes: [UInt8]) -> [UInt8]? {
        read(bytes)?["challenge"]?.text.flatMap(base64URLDecoded)
    }

    /// A repeated member could be read in two ways, so it is a fault like others.
    private static func read(_ bytes: [UInt8]) -> JSONValue? {
        guard bytes.count <= bytesMax else { return nil }
        let document = JSONDocument(bytes, file: "")
        guard document.diagnostics.isEmpty, document.root?.members != nil else { return nil }
        return document.root
    }
}
