import CardModel
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// `GET /v1/live`: tells an open app that a sync may bring something new.
struct LiveController: Sendable {
    let services: Services

    @Sendable func live(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try services.authenticator.require(.device, request.headers)
        guard let user = try request.identity("user_id").flatMap(UserID.init(checking:)) else {
            throw RequestError.userInvalid
        }
        let device = try request.identity("device_id")
        guard device.map({ $0.utf8.count <= 512 }) ?? true else { throw RequestError.fieldInvalid("device_id") }
        let snapshot = services.catalog.current
        try snapshot.tokens.verify(request.headers[.placardUserToken], for: user, at: services.clock())
        let place = LivePlace(try open(for: user, device, key, context.clientKey, snapshot.settings.deviceLimits))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
            body: ResponseBody { writer in
                try await write(place.stream, request.body, &writer)
                try await writer.finish(nil)
            }
        )
    }

    private func open(
        for user: UserID,
        _ device: String?,
        _ key: Caller,
        _ client: ClientKey?,
        _ limits: DeviceLimits
    ) throws(RequestError) -> LiveStream {
        do {
            try services.deviceLimiter.take(.key, of: key.id, limits)
            try services.deviceLimiter.take(.user, of: user.rawValue, limits)
            try services.deviceLimiter.take(.liveOpens, of: client, limits)
        } catch {
            throw RequestError(error)
        }
        var streams = services.liveLimits
        streams.perUser = limits.liveStreamsPerUser
        do {
            return try services.hub.open(for: user, device: device, client: client, within: streams)
        } catch {
            throw RequestError(error)
        }
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

extension RequestError {
    /// After how many seconds a stream may be tried again: others have to end first.
    private static let streamDelay = 60

    fileprivate init(_ refusal: LiveHub.Refusal) {
        switch refusal {
        case .user: self = .tooManyStreams("This user")
        case .address: self = .tooManyStreams("This address")
        case .full:
            self.init(
                .serviceUnavailable,
                "unavailable",
                "The server has as many live streams open as it takes. Sync without one.",
                retryAfter: Self.streamDelay
            )
        }
    }

    private static func tooManyStreams(_ whose: String) -> RequestError {
        RequestError(
            .tooManyRequests,
            "rate_limited",
            "\(whose) has as many live streams open as it may. Sync without one.",
            retryAfter: streamDelay
        )
    }
}
