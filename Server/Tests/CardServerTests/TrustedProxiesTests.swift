import CardModel
import Testing

@testable import CardServer

@Suite("Behind proxies, the client")
struct TrustedProxiesTests {
    private func client(
        _ headers: [(String, String)],
        peer: String = "10.0.0.1",
        trusting list: String = "10.0.0.0/8, ::1",
        _ header: TrustedProxies.Header = .automatic
    ) throws -> ClientConnection {
        let proxies = TrustedProxies(ranges: try AddressRange.list(list), header: header)
        return proxies.client(peer: PeerAddress(IPAddress(peer))) { name in headers.filter { $0.0 == name }.map(\.1) }
    }

    @Test("is the peer, whatever it says, where the peer is not trusted")
    func untrusted() throws {
        let headers = [
            ("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https"), ("forwarded", "for=203.0.113.9"),
        ]
        for (peer, list) in [("192.0.2.7", "10.0.0.0/8"), ("10.0.0.1", "")] {
            let found = try client(headers, peer: peer, trusting: list)
            #expect(found == ClientConnection(PeerAddress(IPAddress(peer)), isSecure: false))
        }
    }

    @Test("speaks HTTPS where its connection to the server is encrypted, unless a trusted proxy says how it came")
    func encrypted() throws {
        let proxies = TrustedProxies(ranges: try AddressRange.list("10.0.0.0/8"))
        func isSecure(_ peer: String, _ headers: [String: String]) -> Bool {
            proxies.client(peer: PeerAddress(IPAddress(peer)), isEncrypted: true) { headers[$0].map { [$0] } ?? [] }
                .isSecure
        }
        #expect(isSecure("192.0.2.7", ["x-forwarded-proto": "http"]))
        #expect(isSecure("10.0.0.1", [:]))
        #expect(!isSecure("10.0.0.1", ["x-forwarded-proto": "http"]))
        #expect(isSecure("10.0.0.1", ["x-forwarded-proto": "https"]))
    }

    @Test("is the last address that no trusted proxy has: what stands before it, the client may have written")
    func chain() throws {
        let found = try client([
            ("x-forwarded-for", "127.0.0.1, 198.51.100.4"), ("x-forwarded-for", "203.0.113.9, 10.0.0.2"),
            ("x-forwarded-proto", "https"),
        ])
        #expect(found == ClientConnection(PeerAddress(IPAddress("203.0.113.9")), isSecure: true))
    }

    @Test("speaks what the proxy next to it says, not what it says itself")
    func scheme() throws {
        let headers = [("x-forwarded-for", "198.51.100.4, 203.0.113.9"), ("x-forwarded-proto", "https, http")]
        #expect(try client(headers).isSecure == false)
        let two = [("x-forwarded-for", "203.0.113.9, 10.0.0.2"), ("x-forwarded-proto", "https, http")]
        #expect(try client(two).isSecure)
        let alone = try client([("x-forwarded-proto", "https")])
        #expect(alone.address == IPAddress("10.0.0.1"))
        #expect(alone.isSecure)
        #expect(alone.provenAddress == nil)
    }

    @Test("is read from Forwarded, with ports, quotes and brackets")
    func forwarded() throws {
        let found = try client([
            ("forwarded", #"for=1.2.3.4;proto=http, For="[2001:db8::9]:4711";Proto=HTTPS;by=10.0.0.9, for=10.0.0.2"#)
        ])
        // The last proxy names no scheme for itself, and the client's own is that of its element.
        #expect(found == ClientConnection(PeerAddress(IPAddress("2001:db8::9")), isSecure: true))
        #expect(try client([("forwarded", "for=203.0.113.9:80")]).address == IPAddress("203.0.113.9"))
    }

    @Test(
        "is the proxy where it is hidden or cannot be read",
        arguments: ["unknown", "_hidden", "", "300.1.1.1", "a,"]
    )
    func hidden(text: String) throws {
        #expect(try client([("x-forwarded-for", text)]).address == IPAddress("10.0.0.1"))
        #expect(try client([("forwarded", "for=\(text)")]).address == IPAddress("10.0.0.1"))
    }

    @Test(
        "isn't an address in brackets that something other than a port follows, or that more than brackets surrounds",
        arguments: [
            "[2001:db8::9]x80", "[2001:db8::9]80", "[2001:db8::9].80", "[2001:db8::9]:", "[2001:db8::9]::80",
            "[2001:db8::9]:\u{301}80", "[\u{301}2001:db8::9]", "[2001:db8::9]:80x", "[2001:db8::9] :80",
        ]
    )
    func garbage(text: String) throws {
        #expect(try client([("x-forwarded-for", "[2001:db8::9]:80")]).provenAddress == IPAddress("2001:db8::9"))
        #expect(try client([("x-forwarded-for", text)]).provenAddress == nil)
        #expect(try client([("forwarded", "for=\"\(text)\"")]).provenAddress == nil)
    }

    @Test("has no rights of the proxy where that names nobody", arguments: ["x", "proto=https", "for=x"])
    func rights(text: String) throws {
        let honest = [("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https")]
        #expect(try client(honest).provenAddress == IPAddress("203.0.113.9"))
        #expect(try client(honest + [("forwarded", text)]).provenAddress == nil)
        #expect(try client([("forwarded", text)]).provenAddress == nil)
        #expect(try client([]).provenAddress == IPAddress("10.0.0.1"))
    }

    @Test(
        "is named by what stands behind the last comma, whatever a client puts before it",
        arguments: [":\u{600}", "\u{600}", "x\u{301}", "\u{200D}", ";x=\u{600}", "\u{1F1E6}"]
    )
    func joiningMarks(mark: String) throws {
        for comma in [",", ", "] {
            let list = "198.51.100.4\(mark)\(comma)203.0.113.9"
            #expect(try client([("x-forwarded-for", list)]).address == IPAddress("203.0.113.9"))
            let elements = "for=198.51.100.4\(mark)\(comma)for=203.0.113.9"
            #expect(try client([("forwarded", elements)]).address == IPAddress("203.0.113.9"))
        }
        for text in ["[198.51.100.4]\(mark)", "198.51.100.4\(mark)", "198.51.100.4:\(mark)"] {
            #expect(try client([("x-forwarded-for", text)]).provenAddress == nil)
        }
    }

    @Test("is nobody that only one of two headers names: one of them comes from the client itself")
    func bothHeaders() throws {
        let headers = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=192.0.2.1;proto=https")]
        let found = try client(headers)
        #expect(found.address == IPAddress("10.0.0.1"))
        #expect(!found.isSecure)
        #expect(found.provenAddress == nil)
        let trusting = "10.0.0.0/8"
        #expect(try client(headers, trusting: trusting, .xForwarded).address == IPAddress("203.0.113.9"))
        #expect(try client(headers, trusting: trusting, .forwarded).address == IPAddress("192.0.2.1"))
    }

    @Test("is found in a header of any length by its end alone")
    func long() throws {
        let many = Array(repeating: "198.51.100.4", count: 100_000).joined(separator: ",")
        #expect(try client([("x-forwarded-for", many + ",203.0.113.9")]).address == IPAddress("203.0.113.9"))
        let trusted = Array(repeating: "10.0.0.3", count: 100_000).joined(separator: ",")
        #expect(try client([("x-forwarded-for", trusted)]).address == IPAddress("10.0.0.3"))
    }

    @Test("is who a proxy at the other end of a Unix socket names, where the settings trust such a one")
    func socket() throws {
        func client(_ headers: [String: String], trusting isTrusted: Bool) -> ClientConnection {
            TrustedProxies(ranges: [], includesSocket: isTrusted)
                .client(peer: .socket) { headers[$0].map { [$0] } ?? [] }
        }
        let named = ["x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"]
        let found = client(named, trusting: true)
        #expect(found.address == IPAddress("203.0.113.9") && found.isSecure)
        #expect(found.provenAddress == found.address)

        let untrusted = client(named, trusting: false)
        #expect(untrusted == ClientConnection(.socket, isSecure: false))
        #expect(untrusted.provenAddress == nil && untrusted.addressText == "unix")
        // One whose client isn't named counts as all do that come by the socket, and never as nobody.
        for headers in [[:], ["x-forwarded-for": "unknown"]] {
            #expect(client(headers, trusting: true).key == untrusted.key)
        }
        let zero = try #require(IPAddress("0.0.0.0"))
        #expect(untrusted.key != nil && untrusted.key != ClientKey(zero))
    }

    @Test("isn't asked of an address where only those of a Unix socket are trusted")
    func socketAlone() throws {
        let proxies = TrustedProxies(ranges: [], includesSocket: true)
        let found = proxies.client(peer: PeerAddress(IPAddress("127.0.0.1"))) { _ in ["203.0.113.9"] }
        #expect(found.address == IPAddress("127.0.0.1"))
    }
}
