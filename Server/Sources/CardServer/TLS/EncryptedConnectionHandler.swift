import NIOCore
import NIOSSL
import NIOTLS

/// Stands between TLS and HTTP: counts handshakes, and sees to it that an answer is sent before the connection closes.
///
/// How long a handshake may take is up to ``ConnectionHandler``, to which it is a connection of which nothing has come.
final class EncryptedConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let metrics: ServerMetrics
    private var isHandshaking = true

    init(_ metrics: ServerMetrics) { self.metrics = metrics }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { endHandshake(isComplete: true) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whatever it was that came, it is no client; TLS closes the connection.
        guard !isHandshaking else { return endHandshake(isComplete: false) }
        // Many clients end without a word. HTTP says itself where a body ends, and that nothing more comes is an event.
        if case NIOSSLError.uncleanShutdown = error { return }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endHandshake(isComplete: false)
        context.fireChannelInactive()
    }

    /// Counts the handshake, once.
    private func endHandshake(isComplete: Bool) {
        guard isHandshaking else { return }
        isHandshaking = false
        metrics.countHandshake(isComplete: isComplete)
    }

    /// Closes the output once everything is written: where the client has said that it sends nothing more, TLS would
    /// close the whole connection at once.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else {
            endHandshake(isComplete: false)
            return context.close(mode: mode, promise: promise)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: context.close(mode: .output, promise: promise)
            case .failure(let error): promise?.fail(error)
            }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }
}

@available(*, unavailable)
extension EncryptedConnectionHandler: Sendable {}
