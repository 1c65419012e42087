import Logging
import NIOCore
import NIOPosix
import Testing

@testable import CardServer

@Suite("Connections that nobody takes")
struct DroppedConnectionTests {
    @Test(
        "One that a server sets up and drops, because it stops just then, ends with its client, and ends nothing else",
        arguments: [1, 0]
    )
    func dropped(room: Int) async throws {
        let shortcut = ShortcutChannel(
            responder: { _, _, _ in Issue.record("It was answered") },
            shortcut: NoShortcut(proxies: .none),
            services: ConnectionServices(
                table: ConnectionTable(total: room, perAddress: 1),
                bodies: BodyBudget(total: 1, perAddress: 1),
                answers: BodyBudget(total: 1, perAddress: 1),
                times: ServerLimits().times,
                metrics: ServerMetrics(),
                refusals: EarlyRefusals(ServerMetrics(), nil),
                certificate: nil
            )
        )
        let (children, accepted) = AsyncStream.makeStream(of: (any Channel).self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                accepted.yield(channel)
                return shortcut.setup(channel: channel, logger: Logger(label: "test")).map { _ in }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: listener.localAddress?.port ?? 0)
            .get()
        for await child in children {
            // It is open by the time at which its loop does anything else
            try await child.eventLoop.submit {}.get()
            try? await client.close().get()
            try await child.closeFuture.get()
            break
        }
        try await listener.close().get()
    }
}
