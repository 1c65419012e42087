import CardModel
import Logging
import Synchronization
import Testing

@testable import CardServer

@Suite("Images that apps couldn't load")
struct ImageCheckTests {
    private static let base = "https://cards.example.com"

    private func content(_ addresses: [String]) -> Campaign.Content {
        let variants = addresses.enumerated().map { index, address in
            var card = CardTemplate(layout: .classic)
            card.image = address
            return Campaign.Variant(id: VariantID(rawValue: "v\(index)"), card: card)
        }
        return Campaign.Content(name: "x", variants: variants)
    }

    private func check(
        _ addresses: String...,
        allowsPrivateHosts: Bool = true,
        timeout: Double = 60
    ) async throws -> [String] {
        let content = content(addresses)
        let found = Mutex<[CampaignCheck]>([])
        try await Workspace.run { space in
            let client = OutboundClient(allowsPrivateHosts: allowsPrivateHosts)
            let logger = Logger(label: "test")
            let service = ImageCheckService(client: client, store: space.store, logger: logger, timeout: timeout)
            let checks = try await service.checks(of: content, base: Self.base)
            found.withLock { $0 = checks }
        }
        return found.withLock { $0.map { "\($0.path): \($0.message)" } }
    }

    @Test("An error and a page in place of an image are told, and an image isn't")
    func answers() async throws {
        let place = "variants[0].card.image: The image's address answers with"
        let cases: [(status: String, type: String, expected: [String])] = [
            ("200 OK", "image/webp", []), ("200 OK", "application/octet-stream", []), ("301 Moved", "text/html", []),
            ("404 Not Found", "image/png", ["\(place) the error HTTP 404."]),
            ("200 OK", "Text/HTML; charset=utf-8", ["\(place) text/html, which isn't an image."]),
        ]
        for (status, type, expected) in cases {
            let answer = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: 99999999\r\n\r\n"
            try await RawHost.run(sending: answer) { host, port in
                let found = try await check("http://127.0.0.1:\(port)/a.png")
                #expect(found == expected)
                #expect(host.received.contains("GET /a.png HTTP/1.1"))
            }
        }
    }

    @Test("A host that can't be reached, may not be, or says nothing in time is told alike")
    func unreachable() async throws {
        let message = "The server couldn't load the image. Open its address in a browser to check it."
        let told = ["variants[0].card.image: \(message)"]
        let port = try await RawHost.closedPort()
        #expect(try await check("http://127.0.0.1:\(port)/") == told)
        #expect(try await check("http://127.0.0.1:\(port)/", allowsPrivateHosts: false) == told)
        try await RawHost.run(sending: "") { host, port in
            let found = try await check("http://127.0.0.1:\(port)/", timeout: 0.2)
            #expect(found == told)
            #expect(host.connections == 1)
        }
    }

    @Test("The media library's are looked up, and templates are left out")
    func library() async throws {
        let id = String(repeating: "0", count: 32)
        let told = "The picture isn't in the media library."
        let found = try await check("\(Self.base)/media/\(id)/a.png", "{{${image_url}}}", "\(Self.base)/media/x")
        #expect(found == ["variants[0].card.image: \(told)", "variants[2].card.image: \(told)"])
    }
}
