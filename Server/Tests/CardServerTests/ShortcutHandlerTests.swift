import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import CardServer

/// A connection whose shortcut answers when the test says so.
@Suite("A shortcut whose answer comes later")
struct ShortcutHandlerTests {
    private struct LateShortcut: Shortcut {
        let proxies = TrustedProxies.none
        let promise: EventLoopPromise<ShortcutReply?>

        func covers(_ method: HTTPMethod, _ uri: String) -> Bool { uri == "/v1/sync" }

        func answer(
            _ request: ShortcutRequest,
            _ body: ByteBuffer,
            _ memory: inout ShortcutMemory,
            on eventLoop: any EventLoop
        ) -> ShortcutAnswer {
            .later(promise.futureResult)
        }
    }

    /// The application: notes what it is told of.
    private final class Application: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        private(set) var log: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): log.append(head.uri)
            case .body(let part): log.append(String(buffer: part))
            case .end: log.append("end")
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) { log.append("complete") }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { log.append("closed") }
        }
    }

    private struct Place {
        let channel: EmbeddedChannel
        let application: Application
        let promise: EventLoopPromise<ShortcutReply?>

        init() throws {
            let loop = EmbeddedEventLoop()
            promise = loop.makePromise(of: ShortcutReply?.self)
            application = Application()
            let handler = ShortcutHandler(shortcut: LateShortcut(promise: promise), peer: ConnectionPeer())
            channel = EmbeddedChannel(handlers: [handler, application], loop: loop)
            let head = HTTPRequestHead(
                version: .http1_1,
                method: .POST,
                uri: "/v1/sync",
                headers: ["Content-Length": "2"]
            )
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{}")))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }

        /// The parts that were written, in short.
        func written() throws -> [String] {
            var parts: [String] = []
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                switch part {
                case .head(let head): parts.append("\(head.status.code)")
                case .body(.byteBuffer(let body)): parts.append(String(buffer: body))
                case .body: parts.append("?")
                case .end: parts.append("end")
                }
            }
            return parts
        }
    }

    private static let reply = ShortcutReply(json: Array("{}".utf8))

    @Test("The answer is written once it is there, and the application hears nothing of the request")
    func answered() throws {
        let place = try Place()
        #expect(try place.written().isEmpty)
        place.promise.succeed(Self.reply)
        #expect(try place.written() == ["200", "{}", "end"])
        #expect(!place.application.log.contains("/v1/sync"))
        _ = try place.channel.finish(acceptAlreadyClosed: true)
    }

    @Test("Without an answer, or with an error, the application has the whole request", arguments: [true, false])
    func left(isError: Bool) throws {
        let place = try Place()
        let before = place.application.log.count
        if isError { place.promise.fail(ChannelError.eof) } else { place.promise.succeed(nil) }
        #expect(place.application.log.dropFirst(before) == ["/v1/sync", "{}", "end", "complete"])
        #expect(try place.written().isEmpty)
        _ = try place.channel.finish(acceptAlreadyClosed: true)
    }

    @Test("A client that sends no more gets its answer before the application closes", arguments: [true, false])
    func inputEnded(isAnswered: Bool) throws {
        let place = try Place()
        place.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!place.application.log.contains("closed"))
        place.promise.succeed(isAnswered ? Self.reply : nil)
        #expect(place.application.log.last == "closed")
        #expect(place.application.log.contains("/v1/sync") == !isAnswered)
        #expect(try place.written().isEmpty == !isAnswered)
        // From then on it is told at once.
        place.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(place.application.log.filter { $0 == "closed" }.count == 2)
        _ = try place.channel.finish(acceptAlreadyClosed: true)
    }

    @Test("An answer for a connection that was closed is dropped", arguments: [true, false])
    func closed(isAnswered: Bool) throws {
        let place = try Place()
        place.channel.pipeline.fireChannelInactive()
        place.promise.succeed(isAnswered ? Self.reply : nil)
        #expect(try place.written().isEmpty)
        #expect(!place.application.log.contains("/v1/sync"))
        _ = try place.channel.finish(acceptAlreadyClosed: true)
    }
}
