import NIOCore

/// Sees the bytes of a connection before they are parsed: counts them, and throws away those that nobody wants any
/// more.
///
/// Answers that are bytes already go out from here.
final class ConnectionByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionHandler

    init(_ connection: ConnectionHandler) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { connection.bytes = context }

    func handlerRemoved(context: ChannelHandlerContext) { connection.bytes = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytes
        guard connection.received(bytes, at: context.eventLoop.now) else { return }
        context.fireChannelRead(data)
    }
}

@available(*, unavailable)
extension ConnectionByteHandler: Sendable {}
