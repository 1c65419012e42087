import Logging
import NIOCore

/// Accepts nothing more while as many connections are open as are wanted at a time, those that are closing included.
///
/// ``ConnectionTable`` counts a connection as gone once it is asked to close. Where clients connect faster than others
/// are closed, the system would run out of descriptors; with this they wait in the socket's queue instead.
final class AcceptBound: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    private let metrics: ServerMetrics
    private let logger: Logger
    private var count = 0
    /// Whether a read was asked for while there was no room.
    private var wantsRead = false

    /// Creates a bound of that many open connections; those that the system gives at once may be a few more.
    init(_ limit: Int, _ metrics: ServerMetrics, logger: Logger) {
        self.logger = logger
        self.limit = limit
        self.metrics = metrics
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += 1
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.closed(context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard count < limit else {
            if !wantsRead { noteWait() }
            wantsRead = true
            return
        }
        context.read()
    }

    private func noteWait() {
        metrics.countAcceptWait(.limit)
        logger.warning(
            "New connections wait: as many are open as are allowed, those that close included",
            metadata: ["connections": "\(limit)"]
        )
    }

    private func closed(_ context: ChannelHandlerContext) {
        count -= 1
        guard wantsRead, count < limit else { return }
        wantsRead = false
        // A server that stops reads no more.
        guard (try? context.channel.syncOptions?.getOption(.autoRead)) ?? false else { return }
        context.read()
    }
}

@available(*, unavailable)
extension AcceptBound: Sendable {}
