import CardModel
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// `/media/…`: the bytes of pictures, which devices and browsers load without a key.
///
/// An address has the hash of what is there, so that it never changes and can't be guessed; it is no secret.
struct MediaFileController: Sendable {
    let services: Services

    @Sendable func largest(_ request: Request, _ context: AppContext) async throws -> Response {
        try await file(request, context) { $0.widths.first }
    }

    @Sendable func size(_ request: Request, _ context: AppContext) async throws -> Response {
        let width = try context.parameters.require("width")
        return try await file(request, context) { item in item.widths.first { String($0) == width } }
    }

    private func file(
        _ request: Request,
        _ context: AppContext,
        _ width: (MediaItem) -> Int?
    ) async throws -> Response {
        let id = try context.pathParameter("id")
        guard MediaItem.isID(id), let item = try await services.store.mediaItem(id),
            item.slug == (try context.parameters.require("name")), let width = width(item)
        else { throw RequestError.notFound("picture") }
        let tag = "\"\(id)-\(width)\""
        if Self.matches(tag, request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: Self.headers(item, tag))
        }
        let file = PictureFiles.File(id: id, width: width, createdAt: item.createdAt, location: item.location)
        guard let size = try await services.media.storage.size(of: file) else { throw RequestError.notFound("picture") }
        // Before anything is said of it: a size that is lost, or can't be read now, is an error and no half picture.
        if !context.isHead { _ = try await services.pictures.piece(0, of: file) }
        return Response(status: .ok, headers: Self.headers(item, tag), body: body(of: file, size: size))
    }

    /// The bytes in pieces, as fast as the client takes them; `HEAD` reads none.
    private func body(of file: PictureFiles.File, size: Int) -> ResponseBody {
        let pictures = services.pictures
        return ResponseBody(contentLength: size) { writer in
            // safe: no more than the size
            for number in 0..<(size + PictureFiles.pieceSize - 1) / PictureFiles.pieceSize {
                try await writer.write(pictures.piece(number, of: file))
            }
            try await writer.finish(nil)
        }
    }

    private static func matches(_ tag: String, _ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(at: ",").contains { part in
            let text = part.split(at: " ").joined()
            return text == "*" || text == tag || text == "W/" + tag
        }
    }

    private static func headers(_ item: MediaItem, _ tag: String) -> HTTPFields {
        [
            .contentType: item.format.mediaType, .eTag: tag,
            .cacheControl: "public, max-age=31536000, immutable",
            .xContentTypeOptions: APIHeaders.noSniffing,
            // Whatever a browser takes it for, it runs nothing; other sites' pages may show it.
            .contentSecurityPolicy: "default-src 'none'; sandbox", .crossOriginResourcePolicy: "cross-origin",
        ]
    }
}

extension HTTPField.Name {
    /// The sites that can load what a reply holds.
    fileprivate static let crossOriginResourcePolicy = checked("Cross-Origin-Resource-Policy")
}
