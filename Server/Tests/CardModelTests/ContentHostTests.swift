import CardModel
import Testing

@Suite("Hosts that templates may ask")
struct ContentHostTests {
    @Test(
        "are meant by name and port, with those below where a star says so",
        arguments: [
            ("api.example.com", "api.example.com", nil, true), ("api.example.com", "api.example.com", 8443, false),
            ("api.example.com:8443", "api.example.com", 8443, true),
            ("api.example.com", "x.api.example.com", nil, false),
            ("*.example.com", "api.example.com", nil, true), ("*.example.com", "a.b.example.com", nil, true),
            ("*.example.com", "example.com", nil, false), ("*.example.com", "badexample.com", nil, false),
        ] as [(String, String, Int?, Bool)]
    )
    func coverage(_ text: String, host: String, port: Int?, isCovered: Bool) throws {
        #expect(try #require(ContentHost(text)).covers(host, port: port) == isCovered)
    }

    @Test(
        "are meant on the first and the last port, and with a name of the longest length",
        arguments: [("a:1", 1), ("a:65535", 65_535), ("a:00443", 443)]
    )
    func bounds(_ text: String, port: Int) throws {
        #expect(try #require(ContentHost(text)).covers("a", port: port))
        let longest = String(repeating: "a", count: 253)
        #expect(ContentHost(longest) != nil && ContentHost("*." + longest) != nil)
        #expect(ContentHost(longest + "a") == nil && ContentHost("*." + longest + "a") == nil)
    }

    @Test(
        "are refused where they are no hosts",
        arguments: [
            "", "*", "*.", "https://a", "a/b", "A.example", "a b", ".a", "a.", "a..b", "a:", "a:0", "a:1:2", "*a",
            "a:+443", "a:-1", "a: 443", "a:443 ", "a:0x50", "a:65536", "a:99999999999999999999", "a:\u{FF14}\u{FF14}",
        ]
    )
    func refusals(_ text: String) {
        #expect(ContentHost(text) == nil)
    }
}
