import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// `/v1/media`: the media library.
struct MediaController: Sendable {
    let services: Services

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageQuery(request)
        let items = try await services.store.mediaItems(offset: page.offset, limit: page.limit)
        let uses = try await services.media.usage().uses(of: items.map(\.id))
        let totals = try await services.store.mediaTotals()
        let base = services.publicAddress.base(request, context)
        return Response(json: [
            "media": .array(zip(items, uses).map { $0.json(base, usedBy: $1) }),
            "count": .integer(Int64(totals.count)), "bytes": .integer(Int64(totals.bytes)),
            "bytes_limit": .integer(Int64(services.media.totalBytes)),
        ])
    }

    @Sendable func read(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: try await json(of: context.pathParameter("id"), request, context))
    }

    /// Adds a picture, whose bytes are the body.
    @Sendable func upload(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let query = request.uri.queryParameters
        var upload = MediaService.Upload(bytes: [])
        upload.fileName = query["name"].map(String.init) ?? ""
        upload.alt = query["alt"].map(String.init) ?? ""
        if let crop = query["crop"] {
            upload.crop = ImageCrop(crop)
            if upload.crop == nil {
                throw RequestError.fieldInvalid("crop", expected: "left,top,width,height in whole numbers")
            }
        }
        let described = upload
        let (item, isNew) = try await services.media.add(by: caller) { meter in
            var upload = described
            upload.bytes = try await request.readPicture(meter)
            return upload
        }
        let base = services.publicAddress.base(request, context)
        return Response(json: item.json(base, usedBy: MediaUses()), status: isNew ? .created : .ok)
    }

    @Sendable func update(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.pathParameter("id")
        guard let alt = try await request.readRequiredObject()["alt"]?.string else {
            throw RequestError.fieldInvalid("alt", expected: Expected.text)
        }
        try await services.media.setAlt(alt, of: id, by: caller)
        return Response(json: try await json(of: id, request, context))
    }

    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.pathParameter("id")
        let force = request.uri.queryParameters["force"].map(String.init) ?? "false"
        guard let isForced = Bool(force) else {
            throw RequestError.fieldInvalid("force", expected: Expected.boolean)
        }
        try await services.media.delete(id, isForced: isForced, by: caller)
        return Response(status: .noContent)
    }

    private func json(of id: String, _ request: Request, _ context: AppContext) async throws -> JSONValue {
        guard let item = try await services.store.mediaItem(id) else { throw RequestError.notFound("picture") }
        let uses = try await services.media.uses(of: id)
        return item.json(services.publicAddress.base(request, context), usedBy: uses)
    }
}

extension Request {
    /// Reads the bytes of a picture.
    ///
    /// - Parameter meter: Counts them while they arrive.
    /// - Returns: The bytes.
    /// - Throws: `RequestError` with 413 where there are too many, and what the meter throws.
    package func readPicture(_ meter: UploadMeter) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in body {
            // safe: no more than the limit so far
            guard part.readableBytes <= ImageLimits.bytes - bytes.count else { throw RequestError.mediaTooLarge }
            try meter.receive(part.readableBytes)
            bytes += part.readableBytesView
        }
        return bytes
    }
}

/// The address at which devices reach the server.
package struct PublicAddress: Sendable {
    /// The address that is set, without a slash at its end, or `nil` for the one that a request was sent to.
    let base: String?

    init(_ base: String?) {
        self.base = base.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    /// Returns what the paths of pictures are appended to.
    ///
    /// - Parameters:
    ///   - request: The request of whoever asks, whose address is used where none is set.
    ///   - context: Says whether it came by HTTPS.
    /// - Returns: The scheme and authority, without a slash at the end.
    package func base(_ request: Request, _ context: AppContext) -> String {
        if let base { return base }
        guard let authority = request.head.authority, !authority.isEmpty else { return "" }
        return "\(context.client.isSecure ? "https" : "http")://\(authority)"
    }
}

extension MediaItem {
    func json(_ base: String, usedBy uses: MediaUses) -> JSONValue {
        [
            "id": .string(id), "name": .string(name), "alt": .string(alt), "format": .string(format.rawValue),
            "width": .integer(Int64(width)), "height": .integer(Int64(height)), "frames": .integer(Int64(frames)),
            "bytes": .integer(Int64(bytes)), "url": .string(base + path()),
            "sizes": .array(
                widths.map { ["width": .integer(Int64($0)), "url": .string(base + path(width: $0))] }
            ),
            "created_at": .number(createdAt), "created_by": .string(createdBy),
            "used_by": .array(uses.uses.map(\.json)), "used_by_count": .integer(Int64(uses.count)),
        ]
    }
}

extension MediaUse {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["type": .string(kind.rawValue), "id": .string(id), "name": .string(name)]
        if let version { members["version"] = .integer(version) }
        return .object(members)
    }
}
