import CardServer
import HTTPTypes
import Hummingbird
import NIOCore

extension PageDescriptor {
    static let assets = PageDescriptor { routes in
        routes.open(.get, "/dashboard/assets/:file") { AssetPages(files: $0.files).file }
    }
}

/// The styles and scripts: their names change with what is in them, so browsers keep them for good.
struct AssetPages: Sendable {
    let files: AssetFiles

    @Sendable func file(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let file = files.file(at: try context.parameters.require("file")) else { throw HTTPError(.notFound) }
        let headers: HTTPFields = [
            .contentType: file.mediaType, .eTag: file.tag, .cacheControl: "public, max-age=31536000, immutable",
        ]
        if request.headers[.ifNoneMatch] == file.tag { return Response(status: .notModified, headers: headers) }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        )
    }
}
