import Sockets
import Testing

@Suite("Addresses of the public internet (RFC 6890)")
struct AddressTests {
    @Test(
        "neighbours of each special range",
        arguments: [
            ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false),
            ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false),
            ("100.128.0.0", true), ("127.0.0.1", false), ("169.254.169.254", false),
            ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false),
            ("172.32.0.0", true), ("192.0.0.1", false), ("192.0.2.1", false), ("192.0.1.1", true),
            ("192.168.0.1", false), ("192.169.0.1", true), ("198.18.0.1", false),
            ("198.20.0.1", true), ("198.51.100.1", false), ("203.0.113.1", false),
            ("223.255.255.255", true), ("224.0.0.1", false), ("255.255.255.255", false),
            ("0.0.0.0", false), ("[::1]", false), ("[fe80::1]", false), ("[fd00::1]", false),
            ("[2001:db8::1]", false), ("[2001:0:1::1]", false), ("[2001:200::1]", true),
            ("[2606:4700::1]", true), ("[::ffff:127.0.0.1]", false), ("[::ffff:1.1.1.1]", true),
            ("[2002:7f00:1::]", false), ("[2002:101:101::]", true), ("[64:ff9b::a00:1]", false),
            ("[ff02::1]", false),
        ])
    func ranges(_ text: String, _ isPublic: Bool) {
        #expect(SocketAddress("\(text):443")?.host?.isPublic == isPublic)
    }
}
