import CardModel
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /v1/live`: tells an open app that a sync may bring something new.
struct LiveController: Sendable {
    let services: Services

    @Sendable func live(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        guard let user = try request.identity("user_id").flatMap(UserID.init(checking:)) else {
            throw RequestError.userInvalid
        }
        let device = try request.identity("device_id")
        guard device.map({ UserID(checking: $0) != nil }) ?? true else {
            throw RequestError.fieldInvalid("device_id", expected: Expected.identity)
        }
        let snapshot = services.catalog.current
        var grant = LiveGrant(keyHash: key.keyHash, token: request.headers[.placardUserToken])
        grant.address = context.client.provenAddress
        grant.expiresAt = try snapshot.tokens.verify(grant.token, for: user, at: services.clock())
        guard !context.isHead else { return Response(status: .ok, headers: .liveStream, body: .ofUnknownLength) }
        grant.userCreatedAt = try await services.store.userRevision(of: user)?.createdAt
        let opening = LiveOpening(user: user, device: device, key: key.id, client: context.clientKey, grant: grant)
        let place = LivePlace(try open(opening, snapshot.settings.deviceLimits))
        try await recheck(place.stream, of: user)
        return Response(
            status: .ok,
            headers: .liveStream,
            body: context.body(of: place) { [catalog = services.catalog] signal in
                signal.bytes(catalog.current.catalog.generation)
            }
        )
    }

    /// Ends a stream whose right ended while it was opened, when its end could not be told yet.
    private func recheck(_ stream: LiveSubscription, of user: UserID) async throws {
        let (snapshot, now) = (services.catalog.current, services.clock())
        if let expiry = snapshot.expiry(of: stream.grant, for: user, at: now) {
            services.hub.renew(stream, until: expiry)
        } else {
            stream.end()
        }
        try await services.hub.review(user, by: services.store)
    }

    private func open(_ opening: LiveOpening, _ limits: DeviceLimits) throws(RequestError) -> LiveSubscription {
        do {
            try services.deviceLimiter.take(.key, of: opening.key, limits)
            try services.deviceLimiter.take(.user, of: opening.user.rawValue, limits)
            try services.deviceLimiter.take(.liveOpens, of: opening.client, limits)
        } catch {
            throw RequestError(error)
        }
        var streams = services.liveLimits
        streams.perUser = limits.liveStreamsPerUser
        do {
            return try services.hub.open(
                for: opening.user,
                device: opening.device,
                client: opening.client,
                grant: opening.grant,
                within: streams
            )
        } catch {
            throw RequestError(error)
        }
    }
}

extension HTTPFields {
    /// The headers of a stream, which is the last answer of its connection.
    fileprivate static var liveStream: HTTPFields {
        [
            .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no",
            .connection: "close",
        ]
    }
}

/// The user and device that open a stream, and what entitles them to it.
private struct LiveOpening {
    let user: UserID
    let device: String?
    /// The id of the key.
    let key: String
    let client: ClientKey?
    let grant: LiveGrant
}

extension LiveSubscription.Signal {
    /// Returns the bytes to write, with the generation that the catalog has by now: the sync that follows may come to
    /// another node, which reads the catalog first where it knows only an older one.
    fileprivate func bytes(_ generation: CatalogGeneration) -> ByteBuffer {
        switch self {
        case .changed: ByteBuffer(string: "event: changed\ndata: {\"generation\":\(generation)}\n\n")
        case .heartbeat: LiveStreamHandler.heartbeat
        case .reconnect: ByteBuffer(string: "retry: 1000\nevent: reconnect\ndata: {}\n\n")
        }
    }
}

extension RequestError {
    /// The number of seconds after which a stream can be tried again: others have to end first.
    private static let streamDelay = 60

    fileprivate init(_ refusal: LiveHub.LiveError) {
        switch refusal {
        case .user: self = .tooManyStreams("This user")
        case .address: self = .tooManyStreams("This address")
        case .draining:
            self.init(
                .serviceUnavailable,
                "unavailable",
                "The server is about to stop. Open the stream again: another one takes it.",
                retryAfter: 1
            )
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
