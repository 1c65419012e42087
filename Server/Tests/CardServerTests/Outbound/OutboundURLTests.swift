import Testing

@testable import CardServer

@Suite("Addresses that others name")
struct OutboundURLTests {
    @Test(
        "What could be read as another host is no address",
        arguments: [
            "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/",
            "http://127.0.0.01/",
            "http://127.0.0.1./", "http://localhost./", "http://user@example.com/", "http://user:pass@example.com/",
            "http://@example.com/",
            "http://example.com\\@127.0.0.1/", "http://example.com:80@127.0.0.1/", "http://[::1/", "http://[::1]x/",
            "http://[fe80::1%25eth0]/", "http://[::1\0]/", "http://[2001:db8::1\0\r\nX: y]/",
            "http://[v1.x]/", "http:///x", "http://", "http:example.com", "//example.com/", "ftp://example.com/",
            "gopher://example.com/",
            "http://exa mple.com/", "http://ex\u{2024}ample.com/", "http://ⓔxample.com/", "http://%31%32%37.0.0.1/",
            "http://a..b/",
            "http://.a/", "http://example.com:/", "http://example.com:0/", "http://example.com:65536/",
            "http://example.com:+80/",
            "http://example.com:6379x/", "http://\texample.com/",
            " http://example.com/",
            "http://1.2.3/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0/", "http://x.0x1/",
            "javascript:alert(1)", "",
        ]
    )
    func refused(address: String) {
        #expect(OutboundURL(address) == nil)
    }

    @Test("An address says host, port and target, and nothing of it leaves its line")
    func accepted() throws {
        func parts(_ text: String) throws -> [String] {
            let url = try #require(OutboundURL(text))
            return [url.host, String(url.port), url.target, url.authority, String(url.isSecure)]
        }
        #expect(try parts("HTTPS://API.example.com") == ["api.example.com", "443", "/", "api.example.com", "true"])
        #expect(try parts("http://a_b.x:8080?q=1#f") == ["a_b.x", "8080", "/?q=1", "a_b.x:8080", "false"])
        #expect(try parts("http://[2001:DB8::1]:81/%41") == ["2001:db8::1", "81", "/%41", "[2001:db8::1]:81", "false"])
        #expect(
            try parts("http://10.0.0.1/a\r\nHost: x") == ["10.0.0.1", "80", "/a%0D%0AHost:%20x", "10.0.0.1", "false"]
        )
        #expect(OutboundURL("http://example.com/" + String(repeating: "x", count: 9_000)) == nil)
    }

    @Test(
        "Networks of special purposes are not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.255.255.254", "169.254.169.254",
            "172.31.255.255",
            "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::8.8.8.8",
            "::ffff:127.0.0.1", "::ffff:0.0.0.0",
            "::ffff:169.254.169.254", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "2001::1", "2001:20::1",
            "2001:1ff:ffff::1",
            "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1",
            "fec0::1", "ff02::1",
        ]
    )
    func special(address: String) throws {
        let address = try #require(HostAddress(address))
        #expect(!address.isPublic)
    }

    @Test(
        "Everything else is",
        arguments: [
            "1.1.1.1", "172.32.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.255", "2001:200::1", "2a00::1",
            "8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2606:4700::1", "::ffff:1.1.1.1",
        ]
    )
    func common(address: String) throws {
        let address = try #require(HostAddress(address))
        #expect(address.isPublic)
    }
}
