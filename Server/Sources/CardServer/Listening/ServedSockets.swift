import NIOCore
import NIOExtras
import Synchronization

/// The sockets whose connections a server accepts: one, and those that took its place.
///
/// One whose place was taken stays open until the server ends: its connections go on.
final class ServedSockets: Sendable {
    private struct State {
        var sockets: [(channel: any Channel, quiescing: ServerQuiescingHelper)] = []
        var isEnding = false
    }

    private let group: any EventLoopGroup
    private let state = Mutex(State())

    init(_ group: any EventLoopGroup) { self.group = group }

    /// The channels that accept connections.
    var channels: [any Channel] { state.withLock { $0.sockets.map(\.channel) } }

    /// Adds a socket; one that comes when the server is ending is closed.
    func add(_ channel: any Channel, _ quiescing: ServerQuiescingHelper) {
        let isLate = state.withLock { state in
            if !state.isEnding { state.sockets.append((channel, quiescing)) }
            return state.isEnding
        }
        if isLate { channel.close(promise: nil) }
    }

    /// Closes all sockets, asks their connections to end, and calls `onEnd` once when these have; later calls do
    /// nothing.
    func end(_ onEnd: @escaping @Sendable () -> Void) {
        let sockets = state.withLock { state in
            defer { state.isEnding = true }
            return state.isEnding ? nil : state.sockets
        }
        guard let sockets else { return }
        let loop = group.next()
        let ends = sockets.map { socket in
            let ended = socket.channel.eventLoop.makePromise(of: Void.self)
            socket.quiescing.initiateShutdown(promise: ended)
            return ended.futureResult
        }
        EventLoopFuture.whenAllComplete(ends, on: loop).whenComplete { _ in onEnd() }
    }
}
