import CardModel
import Testing

@Suite("IP addresses")
struct IPAddressTests {
    @Test("are read and written in their usual form")
    func text() {
        #expect(IPAddress("192.0.2.1")?.description == "192.0.2.1")
        #expect(IPAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        #expect(IPAddress("255.255.255.255")?.bytes == [255, 255, 255, 255])
        #expect(IPAddress("::")?.bytes == [UInt8](repeating: 0, count: 16))
    }

    @Test("of version 4 are the same where they are written as version 6")
    func mapped() {
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("::192.0.2.1") != IPAddress("192.0.2.1"))
    }

    @Test(
        "are not read from other spellings",
        arguments: [
            "", "1", "0x7f.1", "127.1", "010.0.0.1", "1.2.3.4.5", "1.2.3.256", " 1.2.3.4", "::1%eth0", "1.2.3.4\0",
        ]
    )
    func wrong(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("lie in ranges by their first bits")
    func ranges() throws {
        let ten = try #require(AddressRange("10.1.2.3/8"))
        #expect(ten.description == "10.0.0.0/8")
        #expect(try ten.contains(#require(IPAddress("10.255.0.1"))))
        #expect(try !ten.contains(#require(IPAddress("11.0.0.1"))))
        #expect(try ten.contains(#require(IPAddress("::ffff:10.0.0.1"))))
        #expect(try !ten.contains(#require(IPAddress("::10.0.0.1"))))
        #expect(try #require(AddressRange("0.0.0.0/0")).contains(#require(IPAddress("203.0.113.9"))))
        #expect(try !#require(AddressRange("::/0")).contains(#require(IPAddress("203.0.113.9"))))
        #expect(try #require(AddressRange("2001:db8::/33")).contains(#require(IPAddress("2001:db8:7fff::"))))
        #expect(try !#require(AddressRange("2001:db8::/33")).contains(#require(IPAddress("2001:db8:8000::"))))
        #expect(try #require(AddressRange("::1")).contains(#require(IPAddress("::1"))))
    }

    @Test(
        "are not read from ranges that are none",
        arguments: [
            "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "10.0.0.0/8/8", "10.0.0.0/+8", "::/129", "::/99999",
        ]
    )
    func wrongRange(text: String) {
        #expect(AddressRange(text) == nil)
        #expect(throws: ModelError.self) { try AddressRange.list("127.0.0.1, \(text)x") }
    }
}
