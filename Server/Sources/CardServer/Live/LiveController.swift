import CardModel
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// `GET /v1/live`: tells an open app that a sync may bring something new.
struct LiveController: Sendable {
    let services: Services

    @Sendable func live(_ request: Request, _ context: AppContext) async throws -> Response {
        try services.authenticator.require(.device, request.headers)
        guard let user = request.uri.queryParameters["user_id"].flatMap({ UserID(checking: String($0)) }) else {
            throw RequestError.userInvalid
        }
        try await services.catalog.current.tokens.verify(
            request.headers[.placardUserToken],
            for: user,
            at: services.clock()
        )
        let device = request.uri.queryParameters["device_id"].map { String($0) }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
            body: ResponseBody { writer in
                try await write(services.hub.open(for: user, device: device), request.body, &writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Writes signals until the app goes away or the process is shut down.
    ///
    /// Without the handler for the inbound side, an app that goes away would never be noticed.
    private func write(
        _ stream: LiveStream,
        _ body: RequestBody,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        defer { stream.end() }
        try await body.consumeWithInboundCloseHandler { _ in
            for await signal in stream.signals.cancelOnGracefulShutdown() {
                try await writer.write(signal.bytes)
            }
        } onInboundClosed: {
            stream.end()
        }
    }
}

extension LiveStream.Signal {
    fileprivate var bytes: ByteBuffer {
        switch self {
        case .changed: ByteBuffer(string: "event: changed\ndata: {}\n\n")
        case .heartbeat: ByteBuffer(string: ":\n\n")
        }
    }
}
