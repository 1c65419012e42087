import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Serves the connections of a socket that listens already, such as one that systemd keeps while the server restarts.
///
/// Clients that connect in between wait in the socket's queue, and are answered by the next process: none is refused.
/// Hummingbird's own server binds its sockets itself.
struct InheritedSocketServer<Child: ServerChildChannel>: Service {
    /// The socket.
    let descriptor: Int32
    /// The descriptors of sockets that take its place while it runs.
    let replacements: AsyncStream<Int32>
    /// The handler that sets up and handles connections.
    let child: Child
    /// A function that is told the channel that accepts, once it does.
    let onRunning: @Sendable (any Channel) async -> Void
    /// The name of the socket in the log.
    let name: String
    let group: any EventLoopGroup
    let logger: Logger

    func run() async throws {
        let (connections, accepted) = AsyncStream.makeStream(of: Child.Value.self)
        let sockets = ServedSockets(group)
        let channel = try await accept(descriptor, sockets, accepted)
        logger.info("Server started and listening on \(name)")
        // All connections are closed by then, and their handlers have theirs.
        @Sendable func end() { sockets.end { accepted.finish() } }
        // Without a socket there is nothing to run for; where the server was asked to stop, that comes first.
        channel.closeFuture.whenComplete { _ in end() }
        let replacing = Task {
            for await descriptor in replacements { await replace(by: descriptor, sockets, accepted) }
        }
        defer { replacing.cancel() }
        await withGracefulShutdownHandler {
            await onRunning(channel)
            await withDiscardingTaskGroup { tasks in
                for await connection in connections {
                    tasks.addTask { await child.handle(value: connection, logger: logger) }
                }
            }
        } onGracefulShutdown: {
            // It outlives this call, which returns at once.
            Task {
                for channel in sockets.channels { await pause(channel) }
                end()
            }
        }
        channel.close(promise: nil)
    }

    /// Accepts the connections of a socket.
    private func accept(
        _ descriptor: Int32,
        _ sockets: ServedSockets,
        _ accepted: AsyncStream<Child.Value>.Continuation
    ) async throws -> any Channel {
        let quiescing = ServerQuiescingHelper(group: group)
        let channel = try await bootstrap(quiescing, accepted).withBoundSocket(descriptor).get()
        // NIO has shortened the queue to 128, in which clients wait while the server restarts; the system has a limit.
        listen(descriptor, .max)
        sockets.add(channel, quiescing)
        return channel
    }

    /// Accepts the connections of a socket that takes the place of others, which no one can reach any more.
    private func replace(
        by descriptor: Int32,
        _ sockets: ServedSockets,
        _ accepted: AsyncStream<Child.Value>.Continuation
    ) async {
        do {
            _ = try await accept(descriptor, sockets, accepted)
        } catch {
            logger.error("The new socket at \(name) can't be used", metadata: ["error": "\(error)"])
        }
    }

    /// Accepts nothing more, and returns once all that was accepted is set up.
    ///
    /// NIO resets a connection that isn't set up when the socket of its server closes, and who has just connected would
    /// take that for a failure.
    private func pause(_ channel: any Channel) async {
        try? await channel.setOption(.autoRead, value: false).get()
        for loop in group.makeIterator() { try? await loop.submit {}.get() }
        try? await channel.eventLoop.submit {}.get()
    }

    private func bootstrap(
        _ quiescing: ServerQuiescingHelper,
        _ accepted: AsyncStream<Child.Value>.Continuation
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelInitializer { channel in
                child.setup(channel: channel, logger: logger).map { connection in
                    guard case .terminated = accepted.yield(connection) else { return }
                    // Whoever sets a connection up has to end it.
                    Task { await child.handle(value: connection, logger: logger) }
                }
            }
    }
}
