import Testing

@testable import Services

/// The advice about an account that its authority has closed.
@Suite("Closed accounts") struct ClosedAccountTests {
    @Test(arguments: [false, true])
    func `the key is removed where nodes would take it back from`(isOfFleet: Bool) throws {
        let advice = CertificateAuthority.cure(
            ofClosedAccount: "/s/account.pem", isShared: false, isOfFleet: isOfFleet)
        #expect(advice.contains("remove \"/s/account.pem\""))
        #expect(advice.contains("DELETE FROM waymark.certificate_file") == isOfFleet)
        #expect(advice.contains("reload or restart") == !isOfFleet)
        #expect(!advice.contains("all authorities"))
    }

    @Test func `each authority whose account has the same key makes a new one`() {
        let advice = CertificateAuthority.cure(
            ofClosedAccount: "/s/account.pem", isShared: true, isOfFleet: false)
        #expect(advice.contains("so each makes a new one"))
    }
}
