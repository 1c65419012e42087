import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// A connection whose commonest requests are answered on its event loop, and the others by the application.
///
/// Going through the application costs a request two task switches and several copies of its headers: more than the
/// answer itself where a device is told that nothing has changed.
struct ShortcutChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let shortcut: any Shortcut
    let services: ConnectionServices

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = ConnectionPeer(channel, shortcut.proxies)
        let entry = ConnectionTable.Entry(
            peer.connectionKey,
            at: channel.eventLoop.now,
            close: { [weak channel] in
                guard let channel else { return }
                channel.eventLoop.execute {
                    channel.pipeline.fireUserInboundEventTriggered(ServerStopEvent())
                    channel.close(mode: .all, promise: nil)
                }
            },
            closeIfIdle: { [weak channel] in
                guard let channel else { return }
                channel.eventLoop.execute {
                    channel.pipeline.fireUserInboundEventTriggered(ConnectionEvictionEvent())
                }
            }
        )
        guard services.table.add(entry) else { return refuse(channel, peer) }
        channel.closeFuture.whenComplete { [table = services.table] _ in table.remove(entry) }
        return channel.eventLoop.makeCompletedFuture { try setUp(channel, peer, entry) }
    }

    private func setUp(_ channel: any Channel, _ peer: ConnectionPeer, _ entry: ConnectionTable.Entry) throws -> Value {
        let pipeline = channel.pipeline.syncOperations
        let connection = ConnectionHandler(services, peer, entry, at: channel.eventLoop.now)
        if let certificate = services.certificate {
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context, configuration: .placard))
            try pipeline.addHandler(EncryptedConnectionHandler(services.metrics))
        }
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: ConnectionHandler.waterMark)
        try pipeline.addHandler(ConnectionByteHandler(connection))
        try pipeline.configureHTTPServerPipeline(
            // The connection's handler passes on one request after the other, and answers what cannot be parsed.
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: .placard
        )
        try pipeline.addHandler(connection)
        try pipeline.addHandler(ShortcutHandler(shortcut: shortcut, peer: peer, connection: connection))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        return try Self.wrap(channel, Value.Configuration(isOutboundHalfClosureEnabled: true))
    }

    /// Makes what reads and writes a connection, and keeps it until the connection is closed, which ends it.
    ///
    /// A server that stops at this moment takes no more connections, and NIO ends the process for one that is dropped
    /// before its end.
    private static func wrap(
        _ channel: any Channel,
        _ configuration: Value.Configuration = Value.Configuration()
    ) throws -> Value {
        let connection = try Value(wrappingChannelSynchronously: channel, configuration: configuration)
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
        return connection
    }

    /// Sets up a connection for which there is no room; one that is encrypted isn't worth a handshake.
    private func refuse(_ channel: any Channel, _ peer: ConnectionPeer) -> EventLoopFuture<Value> {
        let (id, answers) = (RequestID.of(sent: nil), services.certificate == nil)
        services.metrics.countRefusedConnection()
        let status = answers ? 503 : nil
        let noted = EarlyRefusal(reason: EarlyRefusals.noRoom, status: status, id: id, address: peer.address(of: nil))
        services.refusals.note(noted, at: channel.eventLoop.now)
        return channel.eventLoop.makeCompletedFuture {
            let handler = RefusedConnectionHandler(answers: answers, id: id)
            try channel.pipeline.syncOperations.addHandler(handler)
            return try Self.wrap(channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}

extension NIOSSLHandler.Configuration {
    /// Keeps little of what a large answer needed once it is sent.
    fileprivate static var placard: NIOSSLHandler.Configuration {
        var configuration = NIOSSLHandler.Configuration()
        configuration.maximumPreservedOutboundBufferCapacity = 16 << 10
        return configuration
    }
}

extension NIOHTTPDecoderLimitConfiguration {
    /// As large as a request's head may be: room for a token and what proxies and browsers add.
    fileprivate static var placard: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with a shortcut.
    static func http1(shortcut: any Shortcut, services: ConnectionServices) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            ShortcutChannel(responder: responder, shortcut: shortcut, services: services)
        }
    }
}
