package import Diagnostics

/// A well-formed fingerprint that is known not to be of a key that only one team has.
package struct KnownFingerprint {
    package let rule: RuleName
    package let message: String
    package let advice: String

    /// Nil for another fingerprint.
    /// - Parameter text: with upper-case digits and colons.
    package init?(_ text: String) {
        if text.isScalarwise(Self.example) {
            rule = .fingerprintPlaceholder
            message = "this fingerprint is the example of Google's documentation"
            advice = "copy your own from Play Console › App signing"
            return
        }
        guard let key = Self.publicKeys.first(where: { text.isScalarwise($0.fingerprint) }) else {
            return nil
        }
        rule = .publicSigningKey
        message =
            "this fingerprint is of \(key.name), with which anybody can sign an app that opens the "
            + "links"
        advice = "publish it for development only, and sign with a key of your own"
    }

    private static let example =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
    private static let publicKeys = [
        (
            name: "React Native's public debug key",
            fingerprint:
                "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C"
        ),
        (
            name: "Android's public test key",
            fingerprint:
                "A4:0D:A8:0A:59:D1:70:CA:A9:50:CF:15:C1:8C:45:4D:47:A3:9B:26:98:9D:8B:64:0E:CD:74:5B:A7:1B:F5:DC"
        ),
    ]
}
