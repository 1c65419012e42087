import CardModel
import Foundation
import Hummingbird
import LiveTesting
import Logging
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer
@testable import PlacardCommands

@Suite("A command that the server puts off")
struct PutOffRequestTests {
    private final class Waits: Sendable {
        private let state = Mutex<(now: UnixTime, waits: [Double])>((1_800_000_000, []))
        var now: UnixTime { state.withLock { $0.now } }
        var all: [Double] { state.withLock { $0.waits } }
        func wait(_ seconds: Double) { state.withLock { $0 = ($0.now + seconds, $0.waits + [seconds]) } }
    }

    /// Runs a server whose keys may make two requests of the management API in so many seconds.
    private func run(
        seconds: Double,
        _ body: @escaping @Sendable (ManagementClient, Waits) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteCardStore(path: directory.appending(path: "placard.sqlite").path)
        let time = Waits()
        let key = KeySecret(name: "backend", kind: .secret, permissions: [.manage], createdAt: time.now)
        try await store.insertKey(key.key, by: .command)
        var settings = Settings()
        settings.rateLimits[.management] = RateLimit(requests: 2, seconds: seconds)
        try await store.saveSettings(settings, at: time.now, by: .command)
        var options = PlacardServer.Options()
        options.port = 0
        options.clock = { time.now }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await PlacardServer(store: store, options: options, logger: logger)
        try await LiveClient.run(server.application()) { live in
            let url = try #require(URL(string: "http://127.0.0.1:\(live.port)"))
            try await body(ManagementClient(server: url, key: key.text, wait: { time.wait($0) }), time)
        }
    }

    @Test("waits as long as the server says, and is done then")
    func waiting() async throws {
        try await run(seconds: 30) { client, time in
            for _ in 1...5 {
                let list = try await client.get("campaigns")
                #expect(list["campaigns"] == [])
            }
            #expect(time.all == [30, 30])
        }
    }

    @Test("fails with the server's words where that takes longer than a minute")
    func tooLong() async throws {
        try await run(seconds: 600) { client, time in
            for _ in 1...2 { _ = try await client.get("campaigns") }
            let refusal = await #expect(throws: ServerError.self) { _ = try await client.get("campaigns") }
            #expect(refusal?.status == 429 && refusal?.code == "rate_limited")
            #expect(time.all.isEmpty)
        }
    }
}

@Suite("A command whose server answers what it shouldn't")
struct StrangeServerTests {
    /// Runs a server that answers each request alike.
    private func run(
        _ answer: @escaping @Sendable () -> Response,
        _ body: @escaping @Sendable (ManagementClient) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("**") { _, _ in answer() }
        try await LiveClient.run(
            Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        ) { live in
            let url = try #require(URL(string: "http://127.0.0.1:\(live.port)"))
            try await body(ManagementClient(server: url, key: "sk_secret"))
        }
    }

    @Test("takes its key to no other place", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let visits = Mutex(0)
        let other = Router()
        other.get("**") { request, _ in
            visits.withLock { $0 += 1 }
            return Response(status: .ok, body: .init(byteBuffer: .init(string: "{}")))
        }
        try await LiveClient.run(
            Application(router: other, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        ) { live in
            let target = "http://localhost:\(live.port)/v1/campaigns"
            try await run({ Response(status: .init(code: status), headers: [.location: target]) }) { client in
                let failure = await #expect(throws: CommandError.self) { _ = try await client.get("campaigns") }
                #expect(failure?.description.contains(target) == true)
            }
        }
        #expect(visits.withLock { $0 } == 0)
    }

    @Test("reads no answer without end")
    func endless() async throws {
        let answer: @Sendable () -> Response = {
            let piece = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 20)
            return Response(
                status: .ok,
                body: .init { writer in
                    for _ in 0..<1_000 { try await writer.write(piece) }
                    try await writer.finish(nil)
                }
            )
        }
        try await run(answer) { client in
            await #expect(throws: CommandError.self) { _ = try await client.get("campaigns") }
        }
    }
}
