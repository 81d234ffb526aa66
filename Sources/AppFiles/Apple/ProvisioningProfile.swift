private import Associations

/// A provisioning profile: a signed property list that says what a signature may have (Apple, TN3125).
enum ProvisioningProfile {
    static func isLikely(_ bytes: [UInt8]) -> Bool { SignedPayload.isLikely(bytes) }

    /// The entitlements that it allows.
    static func entitlements(_ bytes: [UInt8]) throws(FormatFault) -> PropertyList {
        guard let payload = SignedPayload(bytes) else {
            throw FormatFault("is signed, or looks like it, but has no content that can be read")
        }
        let list = try PropertyList.read(payload.content)
        guard let entitlements = list["Entitlements"], entitlements.isDictionary else {
            throw FormatFault(
                "is a signed property list without Entitlements",
                advice: "give a provisioning profile")
        }
        return PropertyList(entitlements.content)
    }
}
