import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection that stays open as long as a test wants, over which it says what it likes, when it likes.
final class OpenConnection: Sendable {
    private let channel: any Channel
    private let received: AsyncStream<[UInt8]>
    private let unread = Mutex<[UInt8]>([])

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - address: The server's address.
    ///   - reads: Whether anything is read; a client that reads nothing lets the server's answers pile up.
    ///   - encryption: What it is encrypted with, for the name `cards.example`; `nil` for plain bytes.
    /// - Returns: The connection.
    /// - Throws: Where the server does not accept it.
    static func open(
        to address: URL,
        reads: Bool = true,
        encryption: NIOSSLContext? = nil
    ) async throws -> OpenConnection {
        let (received, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: reads ? 1 << 18 : 4_096)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let encryption {
                        let name = "cards.example"
                        try pipeline.addHandler(NIOSSLClientHandler(context: encryption, serverHostname: name))
                    }
                    try pipeline.addHandler(Receiver(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: address.port ?? 0).get()
        return OpenConnection(channel, received)
    }

    private init(_ channel: any Channel, _ received: AsyncStream<[UInt8]>) {
        self.channel = channel
        self.received = received
    }

    /// Sends a text; what the other end no longer takes is lost without an error, as in any network.
    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) async {
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Begins to read, where nothing was to be read.
    func beginReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Says that nothing more will be sent.
    func finishSending() async { try? await channel.close(mode: .output).get() }

    /// Returns what comes until a text is in it or the server closes.
    func read(until text: String) async -> String {
        var bytes = unread.withLock { $0 }
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            guard let part = await next() else { break }
            bytes += part
        }
        unread.withLock { $0 = [] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns what comes until the server closes.
    func readToEnd() async -> String {
        var bytes = unread.withLock { $0 }
        while let part = await next() { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func next() async -> [UInt8]? {
        for await part in received { return part }
        return nil
    }

    /// Reads from now on, where nothing was read so far.
    func startReading() async { try? await channel.setOption(.autoRead, value: true).get() }

    /// Waits until the server closes the connection.
    func closed() async { try? await channel.closeFuture.get() }

    /// Closes the connection.
    func close() async { try? await channel.close().get() }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let continuation: AsyncStream<[UInt8]>.Continuation

        init(_ continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event {
                continuation.finish()
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
    }
}
