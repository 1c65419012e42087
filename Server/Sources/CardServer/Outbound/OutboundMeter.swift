import NIOCore

/// Ends a connection that has brought more bytes than any answer may have: heads that are dropped, framing and all.
///
/// Without it, an endless reason phrase, chunk extension or chain of informational responses would keep an event loop
/// busy for as long as a request may take.
final class OutboundMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var rest: Int

    /// Creates a meter of that many bytes.
    init(limit: Int) { rest = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What still comes once it has ended is for nobody.
        guard rest >= 0 else { return }
        // safe: not negative, less what is in memory
        rest -= unwrapInboundIn(data).readableBytes
        guard rest >= 0 else { return context.fireErrorCaught(OutboundError.tooLarge) }
        context.fireChannelRead(data)
    }
}

@available(*, unavailable)
extension OutboundMeter: Sendable {}
