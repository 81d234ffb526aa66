import ClientAddress
import Testing

@Suite("IP addresses (RFC 4291 §2.2, RFC 5952)")
struct IPAddressTests {
    @Test(
        "an address is written in one form",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("::ffff:c000:201", "192.0.2.1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:DB8::00a1", "2001:db8::a1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"),
            ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("1::3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
            ("0:0:1::", "0:0:1::"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func writes(_ text: String, _ written: String) throws {
        #expect(try #require(IPAddress(text)).description == written)
    }

    @Test(
        "a text that is no address is none",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "01.2.3.4", "1.2.3.00",
            "256.2.3.4", "1.2.3.1000", "1.2.3.4 ", " 1.2.3.4", "1.2.3.a", "+1.2.3.4",
            ":", ":::", "1:", ":1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7::8", "::1::", "1::2::3", "12345::", "g::", "::1%eth0", "[::1]",
            "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:",
            ":1:2:3:4:5:6:7",
        ])
    func refuses(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "anonymised, an address is its network",
        arguments: [
            ("192.0.2.177", "192.0.2.0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
            ("::1", "::"),
        ])
    func anonymizes(_ text: String, _ network: String) throws {
        #expect(try #require(IPAddress(text)).anonymized.description == network)
    }

    @Test(
        "an IPv6 address belongs to the network of its first bits, IPv4 to its own",
        arguments: [
            (1, "8000::"), (16, "ffff::"), (33, "ffff:ffff:8000::"), (64, "ffff:ffff:ffff:ffff::"),
            (65, "ffff:ffff:ffff:ffff:8000::"), (127, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe"),
            (128, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ])
    func network(_ bits: Int, _ network: String) throws {
        let address = IPAddress(high: .max, low: .max)
        #expect(address.network(v6Bits: bits).description == network)
        let v4 = try #require(IPAddress("192.0.2.255"))
        #expect(v4.network(v6Bits: bits) == v4)
    }
}

@Suite("Blocks of addresses")
struct AddressBlockTests {
    @Test(
        "a block holds the addresses that begin with its bits, and no others",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("0.0.0.0/0", "203.0.113.1", "::1"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("192.0.2.0/31", "192.0.2.1", "192.0.2.2"),
            ("192.0.2.1/32", "192.0.2.1", "192.0.2.0"), ("::/0", "2001:db8::1", "10.0.0.1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1"),
            ("2001:db8::/64", "2001:db8::ffff", "2001:db8:0:1::"),
            ("2001:db8::/65", "2001:db8::7fff:0:0:0", "2001:db8::8000:0:0:0"),
            ("::1/128", "::1", "::2"), ("fc00::/7", "fdff::1", "fe00::"),
        ])
    func contains(_ text: String, _ inside: String, _ outside: String) throws {
        let block = try AddressBlock(text)
        #expect(block.contains(try #require(IPAddress(inside))))
        #expect(!block.contains(try #require(IPAddress(outside))))
    }

    @Test(
        "what is no block is refused, with what was meant",
        arguments: [
            ("", .noAddress), ("host/8", .noAddress), ("10.0.0.0/", .noPrefixLength(most: 32)),
            ("10.0.0.0/33", .noPrefixLength(most: 32)), ("10.0.0.0/08", .noPrefixLength(most: 32)),
            ("::/129", .noPrefixLength(most: 128)), ("::/-1", .noPrefixLength(most: 128)),
            ("10.0.0.1/8", .bitsBehindPrefix("10.0.0.0/8")),
            ("2001:db8::1/64", .bitsBehindPrefix("2001:db8::/64")),
        ] as [(String, AddressBlockError)])
    func refuses(_ text: String, _ error: AddressBlockError) {
        #expect(throws: error) { try AddressBlock(text) }
    }

    /// Of IPv4 what is routed is 2^32 addresses less those of seven blocks.
    @Test(
        "of public addresses blocks reach what lies in any of them",
        arguments: [
            (true, "0.0.0.0/0", 3_702_390_784, true),
            (true, "0.0.0.0/1 128.0.0.0/1", 3_702_390_784, true),
            (true, "0.0.0.0/1", 2_092_957_696, false), (true, "52.0.0.0/8", 1 << 24, false),
            (true, "52.0.0.0/8 52.1.0.0/16 52.0.0.0/8", 1 << 24, false),
            (true, "52.0.0.0/9 52.128.0.0/9", 1 << 24, false), (true, "192.0.2.1", 1, false),
            (true, "10.0.0.0/8 127.0.0.0/8 192.168.0.0/16", 0, false), (true, "", 0, false),
            (true, "::/0", 0, false), (false, "0.0.0.0/0", 0, false),
            (false, "::/0", 1 << 45, true), (false, "2000::/4 3000::/4", 1 << 45, true),
            (false, "2a00::/12", 1 << 36, false), (false, "2001:db8::/48", 1, false),
            (false, "fc00::/7 fe80::/10 ::1", 0, false),
        ] as [(Bool, String, Int, Bool)])
    func reach(_ isV4: Bool, _ blocks: String, _ count: Int, _ isWhole: Bool) throws {
        let blocks = try blocks.split(separator: " ").map { try AddressBlock(String($0)) }
        let reach = blocks.publicReach(v4: isV4)
        #expect(reach.count == count && reach.isWhole == isWhole)
    }

    @Test(
        "a block is written as it was read",
        arguments: ["0.0.0.0/0", "10.0.0.0/8", "192.0.2.1/32", "::/0", "2001:db8::/33", "::1/128"])
    func writes(_ text: String) throws {
        #expect(try AddressBlock(text).text == text)
    }

    @Test func `private blocks are all there`() throws {
        #expect(AddressBlock.privateBlocks.count == 6)
        #expect(AddressBlock.privateBlocks.contain(try #require(IPAddress("192.168.1.1"))))
        #expect(!AddressBlock.privateBlocks.contain(try #require(IPAddress("192.0.2.1"))))
    }
}
