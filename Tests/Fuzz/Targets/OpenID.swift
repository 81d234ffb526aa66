import OpenID
import URISyntax

/// The documents of a provider, and the answer that a browser brings: bytes by chance sign nobody in.
@Sendable func readOpenID(_ bytes: [UInt8]) {
    let issuer = "https://a.example"
    let client = ProviderClient(issuer: issuer, id: "a", redirect: "https://b.example/")
    let attempt = SignInAttempt("a", of: client)
    if let metadata = try? ProviderMetadata(bytes, of: issuer) {
        require(metadata.token.isSecure && metadata.keys.isSecure, "an endpoint without TLS")
        let url = attempt.location(metadata, scopes: nil)
        require(url.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "\(url)")
    }
    let said = try? AuthorizationAnswer(queryItems(String(decoding: bytes, as: UTF8.self)))
    require(said?.isAnswer(to: attempt) != true, "chance is an answer")
    let keys = (try? KeySet(bytes)) ?? (try? KeySet(Array(#"{"keys":[]}"#.utf8)))
    let text = String(decoding: bytes, as: UTF8.self)
    if let keys {
        let token = try? IDToken(
            text, by: keys, for: attempt, of: client, accessToken: nil, at: 1_795_780_100)
        require(token == nil, "chance signs in")
    }
    if let answer = try? TokenAnswer(bytes, status: 200), let keys {
        require(
            (try? IDToken(
                answer.idToken, by: keys, for: attempt, of: client, accessToken: answer.accessToken,
                at: 1_795_780_100)) == nil, "chance signs in")
    }
}
