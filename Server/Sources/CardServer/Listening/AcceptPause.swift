import Foundation
import Logging
import NIOCore

/// Waits a second before more connections are accepted where the system has nothing left for one, such as a descriptor,
/// and says so.
///
/// NIO delays its next read as well, but goes on to watch the socket, which is readable all the time: its thread does
/// nothing else, and nothing is logged.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The time for which nothing is accepted, and the time without a failure after which that is over.
    private static let (pause, quiet) = (TimeAmount.seconds(1), TimeAmount.milliseconds(10_100))
    /// The errors of the system where it has nothing left.
    private static let shortages: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let metrics: ServerMetrics
    private let logger: Logger
    private var shortage = Shortage()
    private var nextLook: Scheduled<Void>?

    init(_ metrics: ServerMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.shortages.contains(error.errnoCode) { pause(context, error) }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        nextLook?.cancel()
        context.fireChannelInactive()
    }

    private func pause(_ context: ChannelHandlerContext, _ error: IOError) {
        let (channel, loop) = (context.channel, context.eventLoop)
        metrics.countAcceptWait(.shortage)
        if shortage.began(at: loop.now.seconds) {
            logger.error(
                """
                New connections wait: the system has nothing left for them. \
                Raise the limit of open files (LimitNOFILE)
                """,
                metadata: ["error": "\(error)"]
            )
        }
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        loop.scheduleTask(in: Self.pause) { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
        nextLook?.cancel()
        nextLook = loop.assumeIsolated().scheduleTask(in: Self.quiet) { self.look(loop) }
    }

    private func look(_ loop: any EventLoop) {
        guard let seconds = shortage.recovery(at: loop.now.seconds) else { return }
        logger.notice("New connections are accepted again", metadata: ["waited_seconds": "\(seconds.rounded())"])
    }
}

@available(*, unavailable)
extension AcceptPause: Sendable {}

/// Whether the system has nothing left for connections, as one that is told once, however often it fails.
struct Shortage: Sendable {
    /// Seconds without a failure after which it is over.
    static let quiet = 10.0

    private var span: (first: Double, last: Double)?

    /// Notes a failure, and returns whether it is the first.
    mutating func began(at now: Double) -> Bool {
        let first = span?.first
        span = (first ?? now, now)
        return first == nil
    }

    /// Ends it where it is over, and returns for how many seconds connections failed, or `nil` where it isn't.
    mutating func recovery(at now: Double) -> Double? {
        guard let found = span, now - found.last >= Self.quiet else { return nil }
        span = nil
        return found.last - found.first
    }
}
