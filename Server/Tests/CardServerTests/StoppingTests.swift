import Foundation
import Logging
import NIOCore
import NIOEmbedded
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Stopping a server", .timeLimit(.minutes(20)))
struct StoppingTests {
    /// Runs a server until `body` has returned, and returns once it has ended.
    private func run(
        seconds: Double,
        socket: Int32? = nil,
        replacements: AsyncStream<Int32> = AsyncStream { $0.finish() },
        progress: StopProgress = StopProgress(),
        _ body: @escaping @Sendable (URL, _ stop: @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteCardStore(path: folder.appending(path: "placard.sqlite").path)
        var options = PlacardServer.Options()
        options.port = 0
        options.stopping = progress
        options.socket = socket.map { socket in SocketSource(path: nil, replacements: replacements) { socket } }
        options.limits = .patient
        options.limits.shutdownSeconds = seconds
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await PlacardServer(store: store, options: options, logger: logger)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                let isDrained = Atomic<Bool>(false)
                try await server.run(
                    until: { for await _ in stops {} },
                    onDrained: { isDrained.store(true, ordering: .releasing) },
                    onReady: { port.yield($0) }
                )
                let found = isDrained.load(ordering: .acquiring)
                #expect(found)
            }
            var number = 0
            for await port in ports {
                number = port
                break
            }
            try await body(try #require(URL(string: "http://127.0.0.1:\(number)"))) { stop.finish() }
            try await tasks.waitForAll()
        }
        try await store.close()
    }

    @Test("What runs beside the answers ends one after another, and the server notes what it waits for")
    func steps() async throws {
        let progress = StopProgress()
        try await run(seconds: 0, progress: progress) { _, stop in
            #expect(progress.step == .start)
            stop()
        }
        #expect(progress.step == .changes)
    }

    @Test(
        "What a client hasn't sent, or sends slowly, doesn't hold the server up beyond its limit",
        arguments: [
            "GET /healthz HT", "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{",
            "POST /v1/sync HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"us",
        ]
    )
    func halfSent(request: String) async throws {
        try await run(seconds: 0) { address, stop in
            let connection = try await OpenConnection.open(to: address)
            await connection.send(request)
            let other = try await OpenConnection.open(to: address)
            // By its answer, the server has read what came before.
            await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.read(until: "}").contains("200"))
            stop()
            await connection.closed()
        }
    }

    @Test("A client that reads nothing doesn't hold the server up beyond its limit")
    func stalledReader() async throws {
        try await run(seconds: 0) { address, stop in
            let connection = try await OpenConnection.open(to: address, reads: false)
            // The document, many times: more than the buffers of both sides hold.
            let requests = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 200)
            await connection.send(requests)
            let other = try await OpenConnection.open(to: address)
            await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.read(until: "}").contains("200"))
            stop()
        }
    }

    @Test("A body that is still coming when the server's time is over is logged as that, and not as a bad request")
    func halfBody() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try #require(AccessLog(path: path))
        var limits = ServerLimits.patient
        limits.shutdownSeconds = 0
        try await Workspace.run(server: limits, accessLog: log) { workspace in
            let connection = try await OpenConnection.open(to: workspace.endpoint)
            await connection.send(
                "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 100000\r\n\r\n"
            )
            // By this, the server has read the head.
            #expect(await connection.read(until: "\r\n\r\n").contains("100"))
            await connection.send("{")
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["route"] } == ["/v1/events"] && lines.map { $0["status"] } == [503])
        #expect(lines.map { $0["reason"] } == ["stopping"])
    }

    @Test("A head that is still coming when the server's time is over is counted as that, and not as a bad request")
    func halfHead() throws {
        let metrics = ServerMetrics()
        let services = ConnectionServices.ofOneConnection(metrics)
        let start = NIODeadline.uptimeNanoseconds(1)
        let entry = ConnectionTable.Entry(nil, at: start) {}
        let handler = ConnectionHandler(services, ConnectionPeer(), entry, at: start)
        let channel = EmbeddedChannel(handler: handler)
        #expect(handler.received(15, at: start))
        channel.pipeline.fireUserInboundEventTriggered(ServerStopEvent())
        #expect(!handler.received(1, at: start))
        #expect(metrics.earlyRefusals.withLock { $0 } == ["stopping": 1])
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// Returns a socket that listens on a free port.
    private static func makeListeningSocket() throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        try #require(descriptor >= 0 && listen(descriptor, 1) == 0)
        return descriptor
    }

    private static func port(of socket: Int32) throws -> UInt16 {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    @Test("A socket that takes the place of another is served, and requests of both end in time")
    func replaced() async throws {
        let (replacements, replace) = AsyncStream.makeStream(of: Int32.self)
        try await run(seconds: 60, socket: try Self.makeListeningSocket(), replacements: replacements) {
            address,
            stop in
            let first = try await OpenConnection.open(to: address)
            await first.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Par")
            let socket = try Self.makeListeningSocket()
            let port = try Self.port(of: socket)
            replace.yield(socket)
            let other = try await OpenConnection.open(to: try #require(URL(string: "http://127.0.0.1:\(port)")))
            await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.read(until: "}").contains("200"))
            stop()
            await other.closed()
            await first.send("t: 1\r\n\r\n")
            #expect(await first.read(until: "}").hasPrefix("HTTP/1.1 200"))
            await first.closed()
        }
    }

    @Test("A request that ends in time is answered, and says that its connection closes", arguments: [false, true])
    func answered(isSocketHandedDown: Bool) async throws {
        try await run(seconds: 60, socket: isSocketHandedDown ? Self.makeListeningSocket() : nil) { address, stop in
            let connection = try await OpenConnection.open(to: address)
            await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Par")
            let other = try await OpenConnection.open(to: address)
            await other.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await other.read(until: "}").contains("200"))
            stop()
            // A connection without a request is closed: the server has heard that it is to stop.
            await other.closed()
            await connection.send("t: 1\r\n\r\n")
            let answer = await connection.read(until: "}")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.lowercased().contains("connection: close"))
            await connection.closed()
        }
    }
}
