import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import CardServer

@Suite("A server that has as many connections open as it wants")
struct AcceptBoundTests {
    private static let logger = Logger(label: "test")

    @Test("accepts the next once one has closed, not once one is asked to")
    func bound() throws {
        let loop = EmbeddedEventLoop()
        let reads = Mutex(0)
        let counter = ReadCounter { reads.withLock { $0 += 1 } }
        let metrics = ServerMetrics()
        let server = EmbeddedChannel(handlers: [counter, AcceptBound(2, metrics, logger: Self.logger)], loop: loop)
        let clients = (0..<3).map { _ in EmbeddedChannel(loop: loop) }
        for client in clients { try client.register().wait() }

        server.read()
        #expect(reads.withLock { $0 } == 1)
        for client in clients { try server.writeInbound(client as any Channel) }
        #expect(metrics.arrivals.withLock { $0 } == ConnectionArrivals())
        server.read()
        server.read()
        #expect(reads.withLock { $0 } == 1)
        // It waits once, however often it is asked to read.
        #expect(metrics.arrivals.withLock { $0.waits } == [.limit: 1])

        // Three are open where two are wanted: the end of one is not enough.
        _ = try clients[0].finish()
        loop.run()
        #expect(reads.withLock { $0 } == 1)
        _ = try clients[1].finish()
        loop.run()
        #expect(reads.withLock { $0 } == 2)
        server.read()
        #expect(reads.withLock { $0 } == 3)
    }

    @Test("accepts nothing more while it stops, however many close")
    func stopping() async throws {
        let reads = Mutex(0)
        let (accepted, found) = AsyncStream.makeStream(of: (any Channel).self)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let counter = ReadCounter { reads.withLock { $0 += 1 } }
                    let bound = AcceptBound(1, ServerMetrics(), logger: Self.logger)
                    try channel.pipeline.syncOperations.addHandlers(counter, bound)
                }
            }
            .childChannelInitializer { channel in
                found.yield(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(to: try #require(server.localAddress)).get()
        let child = try #require(await accepted.first { _ in true })
        try await server.setOption(.autoRead, value: false).get()
        let before = reads.withLock { $0 }

        try await client.close().get()
        try await child.closeFuture.get()
        // What the end of the connection leads to has been done once this has.
        try await server.eventLoop.submit {}.get()
        try await server.eventLoop.submit {}.get()
        #expect(reads.withLock { $0 } == before)
        try await server.close().get()
    }

    @Test("has room for those that are closing")
    func room() {
        var limits = ServerLimits()
        limits.fit(openFiles: 256)
        #expect(limits.openSockets == limits.connections + 12)
        limits.connections = .max
        #expect(limits.openSockets == .max)
    }
}

/// Tells what a channel is asked to read.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let count: () -> Void

    init(_ count: @escaping () -> Void) { self.count = count }

    func read(context: ChannelHandlerContext) {
        count()
        context.read()
    }
}
