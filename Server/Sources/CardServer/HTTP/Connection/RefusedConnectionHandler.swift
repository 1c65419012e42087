import NIOCore

/// Tells a client for whose connection there is no room when to come back, as far as it listens, and closes.
///
/// It waits for the connection to be active: what is written before that is kept, and the connection with it.
final class RefusedConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let answer =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nCache-Control: no-store\r\nX-Request-ID: "
    private static let rest =
        "\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    /// Whether the client is told when to come back, or the connection only closes.
    private let answers: Bool
    private let id: String

    init(answers: Bool, id: String) { (self.answers, self.id) = (answers, id) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { refuse(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        refuse(context)
        context.fireChannelActive()
    }

    private func refuse(_ context: ChannelHandlerContext) {
        if answers {
            let answer = ByteBuffer(string: [Self.answer, id, Self.rest].joined())
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
        context.close(promise: nil)
    }

    /// Drops what the client sends.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

@available(*, unavailable)
extension RefusedConnectionHandler: Sendable {}
