import NIOCore

// Answers that the client doesn't read stay in memory. So a client that has sent requests ahead gets the next answer
// once it has taken the last one, and what all of them leave unread is bounded.
extension ConnectionHandler {
    /// An answer of fewer bytes counts as read; the number of connections bounds those.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 4_096, high: 16_384)

    /// Returns the promise for a write that ends an answer, and notes it where the next request has to wait for it.
    func notingLastWrite(
        _ promise: EventLoopPromise<Void>?,
        _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void>? {
        guard !waiting.isEmpty || !context.channel.isWritable else { return promise }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        lastWrite = written.futureResult
        return written
    }

    /// Ends the exchange when the answer has left the process's memory, as far as that was noted.
    func endExchangeOnceRead(_ context: ChannelHandlerContext) {
        guard let written = lastWrite else { return endExchange(context) }
        lastWrite = nil
        written.assumeIsolated().whenComplete { _ in
            guard let exchange = self.exchange, exchange.isComplete, exchange.isAnswerComplete, !self.isDiscarding
            else { return }
            self.endExchange(context)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        countUnread(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { giveBackUnread() }
        context.fireChannelWritabilityChanged()
    }

    /// Counts what the client hasn't read, and closes the connection where there is no room for it.
    func countUnread(_ context: ChannelHandlerContext) {
        guard !context.channel.isWritable, context.channel.isActive,
            let unread = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes), unread > countedUnread
        else { return }
        // safe: less than what is in memory
        let more = unread - countedUnread
        do throws(BodyBudget.BodyError) {
            try services.answers.take(more, for: peer.connectionKey)
            countedUnread = unread
        } catch {
            services.metrics.countUnreadClose()
            context.close(promise: nil)
        }
    }

    /// Gives back what was counted.
    func giveBackUnread() {
        guard countedUnread > 0 else { return }
        services.answers.giveBack(countedUnread, of: peer.connectionKey)
        countedUnread = 0
    }
}
