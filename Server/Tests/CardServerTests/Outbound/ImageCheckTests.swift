import CardModel
import Dispatch
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
        by client: OutboundClient = OutboundClient(allowsPrivateHosts: true),
        timeout: Double = 60
    ) async throws -> [String] {
        let content = content(addresses)
        let found = Mutex<[CampaignCheck]>([])
        try await Workspace.run { space in
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

    @Test("Addresses that differ in their bytes alone are asked and told of by themselves")
    func equivalentAddresses() async throws {
        let port = try await RawHost.closedPort()
        let found = try await check("http://127.0.0.1:\(port)/\u{E9}", "http://127.0.0.1:\(port)/e\u{301}")
        #expect(found.map { $0.prefix(11) } == ["variants[0]", "variants[1]"])
    }

    @Test("A host that can't be reached, may not be, or says nothing in time is told alike")
    func unreachable() async throws {
        let message = "The server couldn't load the image. Open its address in a browser to check it."
        let told = ["variants[0].card.image: \(message)"]
        let port = try await RawHost.closedPort()
        #expect(try await check("http://127.0.0.1:\(port)/") == told)
        #expect(try await check("http://127.0.0.1:\(port)/", by: OutboundClient(allowsPrivateHosts: false)) == told)
        // On a busy machine, the time may be over before the host is asked.
        var connections = 0
        for timeout in [0.2, 2, 20] where connections == 0 {
            try await RawHost.run(sending: "") { host, port in
                let found = try await check("http://127.0.0.1:\(port)/", timeout: timeout)
                #expect(found == told)
                connections = host.connections
            }
        }
        #expect(connections == 1)
    }

    @Test("While many others are asked, an image isn't, and nothing is said of it")
    func busy() async throws {
        var client = OutboundClient(allowsPrivateHosts: true)
        client.load = WorkLimit(0)
        let found = try await check("http://127.0.0.1:1/a.png", by: client)
        #expect(found.isEmpty)
        client.load = WorkLimit(1)
        client.resolver = SystemResolver(threads: 1, limit: 0) { _ in [] }
        #expect(try await check("http://image.example/a.png", by: client).isEmpty)
    }

    @Test("Names of images whose servers don't answer keep no other name waiting", .timeLimit(.minutes(20)))
    func slowNames() async throws {
        let gate = DispatchSemaphore(value: 0)
        let images = SystemResolver(threads: 1, limit: 2) { _ in
            gate.wait()
            return []
        }
        let others = SystemResolver(threads: 1, limit: 2) { _ in [.unspecified] }
        async let first = images.addresses(of: "a.example")
        async let second = images.addresses(of: "b.example")
        #expect(try await others.addresses(of: "provider.example") == [.unspecified])
        gate.signal()
        gate.signal()
        #expect(try await (first + second).isEmpty)
        // Those of a server are such two.
        let client = ImageCheckService.client(allowsPrivateHosts: false, tracer: nil)
        #expect((client.resolver as? SystemResolver) === SystemResolver.ofImages)
        #expect(SystemResolver.ofImages !== SystemResolver.shared)
    }

    @Test("A name that nobody waits for any longer makes room for others", .timeLimit(.minutes(20)))
    func cancelledNames() async throws {
        let resolver = SystemResolver(threads: 1, limit: 1) { _ in [.unspecified] }
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await resolver.addresses(of: "a.example")
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await resolver.addresses(of: "b.example") == [.unspecified])
    }

    @Test("The media library's are looked up, and templates are left out")
    func library() async throws {
        let id = String(repeating: "0", count: 32)
        let told = "The picture isn't in the media library."
        let found = try await check("\(Self.base)/media/\(id)/a.png", "{{${image_url}}}", "\(Self.base)/media/x")
        #expect(found == ["variants[0].card.image: \(told)", "variants[2].card.image: \(told)"])
    }
}
