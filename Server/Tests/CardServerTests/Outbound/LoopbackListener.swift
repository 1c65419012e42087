import NIOCore
import NIOPosix

/// A listener on a free port of the loopback interface.
enum LoopbackListener {
    /// Listens for as long as a body takes.
    ///
    /// - Parameters:
    ///   - prepare: Gives each connection its handlers.
    ///   - body: What is done in the meantime, with the port.
    /// - Throws: What keeps it from listening, or what the body throws.
    static func run(
        _ prepare: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void,
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel.pipeline.syncOperations) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        do {
            try await body(listener.localAddress?.port ?? 0)
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }
}
