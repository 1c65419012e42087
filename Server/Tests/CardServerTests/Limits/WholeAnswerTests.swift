import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import CardServer

/// Answers of a shortcut that go out as they are, past the encoder, to a client that doesn't read them.
@Suite("Answers in one piece")
struct WholeAnswerTests {
    private struct LongShortcut: Shortcut {
        let proxies = TrustedProxies.none

        func covers(_ method: HTTPMethod, _ uri: String) -> Bool { true }

        func answer(
            _ request: ShortcutRequest,
            _ body: ByteBuffer,
            _ memory: inout ShortcutMemory,
            on eventLoop: any EventLoop
        ) -> ShortcutAnswer {
            .reply(ShortcutReply(json: Array(repeating: UInt8(ascii: " "), count: 12_000)))
        }
    }

    /// Keeps what is written until the client reads, as the system does for one that doesn't.
    private final class UnreadWrites: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var answers = 0
        private var unread = 0
        private var promises: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let bytes = unwrapOutboundIn(data)
            if bytes.readableBytes > 0 { answers += 1 }
            unread += bytes.readableBytes
            if let promise { promises.append(promise) }
            guard let channel = context.channel as? EmbeddedChannel else { return }
            channel.isWritable = unread <= ConnectionHandler.waterMark.high
        }

        func flush(context: ChannelHandlerContext) {}

        /// The client reads all that was written.
        func read(of channel: EmbeddedChannel) {
            let written = promises
            (unread, promises) = (0, [])
            channel.isWritable = true
            for promise in written { promise.succeed() }
        }
    }

    @Test("A request is answered once the answer before it, which was more than may be left unread, is read")
    func unread() throws {
        let metrics = ServerMetrics()
        let services = ConnectionServices.ofOneConnection(metrics)
        let start = NIODeadline.uptimeNanoseconds(1)
        let entry = ConnectionTable.Entry(nil, at: start) {}
        let connection = ConnectionHandler(services, ConnectionPeer(), entry, at: start)
        let (channel, writes) = (EmbeddedChannel(), UnreadWrites())
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(writes)
        try pipeline.addHandler(ConnectionByteHandler(connection))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: .init()
        )
        try pipeline.addHandler(connection)
        try pipeline.addHandler(
            ShortcutHandler(shortcut: LongShortcut(), peer: ConnectionPeer(), connection: connection)
        )
        let request = ByteBuffer(string: "POST /v1/sync HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        for _ in 0..<3 { try channel.writeInbound(request) }
        #expect(writes.answers == 2)
        writes.read(of: channel)
        #expect(writes.answers == 3)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
