import Hummingbird
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// Writes the signals of a live stream on the event loop of its connection, where the client reads them.
///
/// A task that waits for each signal of each stream would keep several times the memory, and would change threads twice
/// for each.
final class LiveStreamHandler: ChannelInboundHandler {
    typealias InboundIn = Never
    typealias OutboundOut = HTTPResponsePart

    /// A sign of life: a comment.
    static let heartbeat = ByteBuffer(string: ":\n\n")

    private let stream: LiveSubscription
    private let bytes: @Sendable (LiveSubscription.Signal) -> ByteBuffer
    /// Is kept once nothing more is written.
    private let end: EventLoopPromise<Void>
    private var hasEnded = false
    private var context: ChannelHandlerContext?

    init(
        _ stream: LiveSubscription,
        _ bytes: @escaping @Sendable (LiveSubscription.Signal) -> ByteBuffer,
        end: EventLoopPromise<Void>
    ) {
        (self.stream, self.bytes, self.end) = (stream, bytes, end)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        stream.attach { [eventLoop = context.eventLoop] in eventLoop.execute { handler.value.write() } }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The client has gone, or sends nothing more; without this, that would only be seen when a write fails.
        if case ChannelEvent.inputClosed = event { finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        write()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish()
        context.fireErrorCaught(error)
    }

    /// Writes what waits, as far as the client reads; the rest waits until it does.
    private func write() {
        guard let context else { return }
        while !hasEnded, context.channel.isWritable {
            switch stream.takeNext() {
            case .nothing: return
            case .end: finish()
            case .signal(let signal):
                context.writeAndFlush(wrapOutboundOut(.body(bytes(signal))), promise: nil)
                if signal == .reconnect { finish() }
            }
        }
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        // Each keeps the other for as long as there may be something to write.
        stream.detach()
        stream.end()
        end.succeed()
    }
}

@available(*, unavailable)
extension LiveStreamHandler: Sendable {}

extension AppContext {
    /// Returns the body of a live stream, which is written until the client goes away, the stream ends or the process
    /// is shut down; the connection closes after it.
    ///
    /// - Parameters:
    ///   - place: The stream's place, which is given back then.
    ///   - beginning: The bytes that come first.
    ///   - bytes: Returns the bytes of a signal.
    /// - Returns: The body.
    func body(
        of place: LivePlace,
        beginning: ByteBuffer? = nil,
        _ bytes: @escaping @Sendable (LiveSubscription.Signal) -> ByteBuffer
    ) -> ResponseBody {
        ResponseBody { [channel] writer in
            defer { place.stream.end() }
            if let beginning { try await writer.write(beginning) }
            // The server waits for its connections before the owners of streams are told that it stops.
            try await withGracefulShutdownHandler {
                try await channel.write(place.stream, bytes).get()
            } onGracefulShutdown: {
                place.stream.end()
            }
            try await writer.finish(nil)
            throw StreamEndError()
        }
    }
}

extension ResponseBody {
    /// A body that is answered to a request for the head of a stream: how long that will be isn't known.
    static var ofUnknownLength: ResponseBody { ResponseBody { writer in try await writer.finish(nil) } }
}

extension Channel {
    /// Writes a live stream, and returns a future that is kept once nothing more of it is written.
    fileprivate func write(
        _ stream: LiveSubscription,
        _ bytes: @escaping @Sendable (LiveSubscription.Signal) -> ByteBuffer
    ) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            // The client may have sent its last before there was anything that would hear of it.
            let connection = try? self.pipeline.syncOperations.handler(type: ConnectionHandler.self)
            guard connection?.isInputClosed != true else { return self.eventLoop.makeSucceededVoidFuture() }
            let end = self.eventLoop.makePromise(of: Void.self)
            do {
                try self.pipeline.syncOperations.addHandler(LiveStreamHandler(stream, bytes, end: end))
            } catch {
                end.fail(error)
            }
            return end.futureResult
        }
    }
}
