import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The application over a socket that listens already: what Hummingbird's application does over one that it binds.
struct InheritedApplication: Service {
    let socket: SocketSource
    let responder: AppResponder
    /// Makes what sets up connections.
    let makeChannel: @Sendable (@escaping HTTPChannelHandler.Responder) -> ShortcutChannel
    /// The services that run beside the answers.
    let services: [any Service]
    let onRunning: @Sendable (any Channel) async -> Void
    let logger: Logger

    func run() async throws {
        let (responder, logger) = (responder, logger)
        let dates = SharedDate()
        let server = InheritedSocketServer(
            descriptor: try socket.listen(),
            replacements: socket.replacements,
            child: makeChannel { request, writer, channel in
                let source = ApplicationRequestContextSource(channel: channel, logger: logger)
                var response = try await responder.respond(to: request, context: AppContext(source: source))
                response.headers[.date] = dates.text
                response.headers[.server] = PlacardServer.name
                try await writer.write(response: response.head, body: response.body)
            },
            onRunning: onRunning,
            name: socket.path ?? "the socket that was handed down",
            group: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services + [server], logger: logger)
        ).run()
    }
}

/// The header `Date` of the answers of an application.
private final class SharedDate: Sendable {
    private let date = Mutex(ResponseDate())

    var text: String { date.withLock { $0.text } }
}
