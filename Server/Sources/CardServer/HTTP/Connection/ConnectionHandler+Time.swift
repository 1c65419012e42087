import NIOCore

// Looks at the connection from time to time, so that a request costs no timer of its own.
extension ConnectionHandler {
    /// Sees that the connection is looked at when the next thing is due.
    func lookAgain(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let seconds = min(max(timer.deadline - now.seconds, 0.001), services.times.period)
        // safe: at most a period of looking
        let due = now + .nanoseconds(Int64(seconds * 1e9))
        guard nextLook == nil || due < nextLookAt else { return }
        nextLook?.cancel()
        nextLookAt = due
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        nextLook = nil
        guard context.channel.isActive else { return }
        let unread = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        switch timer.expiry(at: context.eventLoop.now.seconds, written: writtenBytes, waiting: unread ?? 0) {
        case nil: break
        case .head: refuse(.requestTimeout, context)
        case .body: abandon(.tooSlow, context)
        case .idle, .answer, .rest: return context.close(promise: nil)
        }
        lookAgain(context)
    }
}
