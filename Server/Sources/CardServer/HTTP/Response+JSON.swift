import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

extension Response {
    /// Creates a response of written JSON.
    init(json writer: JSONWriter, status: HTTPResponse.Status = .ok) {
        self.init(json: ByteBuffer(bytes: writer.bytes), status: status)
    }

    /// Creates a response of bytes that are JSON, which several responses may share.
    init(json bytes: ByteBuffer, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: Self.jsonHeaders, body: ResponseBody(byteBuffer: bytes))
    }

    /// Creates a response of a value.
    init(json value: JSONValue, status: HTTPResponse.Status = .ok) {
        var writer = JSONWriter(capacity: 1024)
        writer.write(value)
        self.init(json: writer, status: status)
    }

    private static let jsonHeaders: HTTPFields = [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        .xContentTypeOptions: APIHeaders.noSniffing, .contentDisposition: APIHeaders.attachment,
    ]
}

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: `RequestError` with 413 where it is too large, with 415 where its type says that it isn't JSON.
    func readBody() async throws -> ByteBuffer {
        guard BodyMediaType.canBeJSON(headers) else { throw RequestError.mediaTypeUnsupported }
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > RequestBodyLimit.bytes {
            throw RequestError.bodyTooLarge
        }
        do {
            return try await body.collect(upTo: RequestBodyLimit.bytes)
        } catch is NIOTooManyBytesError {
            throw RequestError.bodyTooLarge
        }
    }

    /// Reads the whole body as JSON; an empty one is an empty object.
    ///
    /// One in which a name stands twice in an object is refused: what filters requests before the server may take the
    /// other value.
    func readJSON() async throws -> JSONValue {
        let buffer = try await readBody()
        if buffer.readableBytes == 0 { return [:] }
        return try JSONValue(parsing: buffer.readableBytesView, isUnambiguous: true)
    }

    /// Reads the whole body as a JSON object; an empty one is an empty object.
    ///
    /// - Throws: `RequestError` with 400 where it is JSON of another type.
    func readObject() async throws -> JSONValue {
        let body = try await readJSON()
        guard body.object != nil else { throw RequestError.fieldInvalid("body", expected: Expected.object) }
        return body
    }

    /// Reads the whole body as a JSON object that has to be there.
    ///
    /// - Throws: `RequestError` with 400 where there is none.
    func readRequiredObject() async throws -> JSONValue {
        let buffer = try await readBody()
        guard buffer.readableBytes > 0 else { throw RequestError.fieldMissing("body") }
        let body = try JSONValue(parsing: buffer.readableBytesView, isUnambiguous: true)
        guard body.object != nil else { throw RequestError.fieldInvalid("body", expected: Expected.object) }
        return body
    }
}
