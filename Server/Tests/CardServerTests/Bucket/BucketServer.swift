import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import NIOCore
import Synchronization
import Testing

@testable import CardServer

/// A service that speaks the part of S3's API that the server uses, holds its requests to their signatures, and fails
/// as it is told to.
final class BucketServer: Sendable {
    /// What happens to a request in place of an answer.
    enum Fault: Sendable {
        /// It is answered with an error.
        case error(Int, String)
        /// It is carried out, and answered with an error.
        case doneAndError(Int, String)
        /// The body ends early.
        case truncated
        /// There are other bytes than the object has, in another number.
        case other(Int)
        /// There is no answer for as long as the service runs.
        case silent
        /// It is answered with an `ETag` that isn't the object's.
        case wrongETag
    }

    struct Object: Sendable, Equatable {
        let bytes: [UInt8]
        let type: String
    }

    private struct State {
        var objects: [String: Object] = [:]
        var requests: [String] = []
        var faults: [(method: String, path: String, fault: Fault)] = []
        var time = 1_800_000_000.0
        var port = 0
        var silent: [CheckedContinuation<Void, Never>] = []
        var isEnding = false
        var onRequest: (@Sendable (String) -> Void)?
    }

    static let accessKey = "AKIAEXAMPLE"
    static let secretKey = "hush/Secret+Key"
    static let region = "eu-test-1"
    static let name = "cards"

    private let state = Mutex(State())

    /// The objects by their paths, such as `/cards/pictures/…`.
    var objects: [String: Object] {
        get { state.withLock { $0.objects } }
        set { state.withLock { $0.objects = newValue } }
    }

    /// Each request as method, path, range and status.
    var requests: [String] { state.withLock { $0.requests } }

    /// Returns the requests of a method.
    func requests(_ method: String) -> [String] { requests.filter { $0.hasPrefix(method + " ") } }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    func setTime(_ time: Double) { state.withLock { $0.time = time } }

    func whenAsked(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.onRequest = body } }

    /// Has the next requests of a method fail, one for each fault.
    func fail(_ method: String, _ faults: Fault..., pathEnding path: String = "") {
        state.withLock { $0.faults += faults.map { (method, path, $0) } }
    }

    func endFaults() { state.withLock { $0.faults = [] } }

    /// The settings of a client.
    func settings(
        name: String = name,
        region: String = region,
        secretKey: String = secretKey,
        prefix: String = "pictures"
    ) throws -> BucketSettings {
        let credentials = try #require(BucketCredentials(accessKey: Self.accessKey, secretKey: secretKey))
        return try BucketSettings(
            name: name,
            region: region,
            endpoint: "http://127.0.0.1:\(state.withLock { $0.port })",
            prefix: prefix,
            credentials: credentials
        )
    }

    /// Runs a service for as long as `body` takes.
    static func run(_ body: @escaping @Sendable (BucketServer) async throws -> Void) async throws {
        let server = BucketServer()
        let router = Router()
        for method in [HTTPRequest.Method.get, .put, .delete, .head] {
            router.on("**", method: method) { request, _ in try await server.answer(request) }
        }
        let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await LiveClient.run(app) { client in
            let port = client.port
            server.state.withLock { $0.port = port }
            let result: Result<Void, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            server.endSilence()
            try result.get()
        }
    }

    private func endSilence() {
        let silent = state.withLock { state in
            state.isEnding = true
            defer { state.silent = [] }
            return state.silent
        }
        for continuation in silent { continuation.resume() }
    }

    // MARK: Answers

    private func answer(_ request: Request) async throws -> Response {
        let body = Array(try await request.body.collect(upTo: 16 << 20).readableBytesView)
        let (method, path) = (request.method.rawValue, request.uri.path)
        state.withLock { $0.onRequest }?("\(method) \(path)")
        let refusal = refusal(of: request, body)
        let fault = refusal == nil ? takeFault(method, path) : nil
        let response: Response
        if let (status, code) = refusal {
            response = Self.error(status, code)
        } else if case .error(let status, let code) = fault {
            response = Self.error(status, code)
        } else {
            response = act(request, body, fault)
        }
        let range = request.headers[.range].map { " \($0)" } ?? ""
        state.withLock { $0.requests.append("\(method) \(path)\(range) \(response.status.code)") }
        if case .silent = fault { await silence() }
        if case .doneAndError(let status, let code) = fault { return Self.error(status, code) }
        return response
    }

    private func silence() async {
        await withCheckedContinuation { continuation in
            let isEnding = state.withLock { state in
                if !state.isEnding { state.silent.append(continuation) }
                return state.isEnding
            }
            if isEnding { continuation.resume() }
        }
    }

    private func takeFault(_ method: String, _ path: String) -> Fault? {
        state.withLock { state in
            let index = state.faults.firstIndex { $0.method == method && ($0.path.isEmpty || path.hasSuffix($0.path)) }
            return index.map { state.faults.remove(at: $0).fault }
        }
    }

    private func act(_ request: Request, _ body: [UInt8], _ fault: Fault?) -> Response {
        let path = request.uri.path
        switch request.method {
        case .put:
            let type = request.headers[.contentType] ?? ""
            state.withLock { $0.objects[path] = Object(bytes: body, type: type) }
            var response = Response(status: .ok)
            if case .wrongETag = fault { response.headers[.eTag] = "\"00000000000000000000000000000000\"" }
            return response
        case .delete:
            state.withLock { $0.objects[path] = nil }
            return Response(status: .noContent)
        default:
            guard let object = state.withLock({ $0.objects[path] }) else { return Self.error(404, "NoSuchKey") }
            return Self.read(object, request, fault)
        }
    }

    private static func read(_ object: Object, _ request: Request, _ fault: Fault?) -> Response {
        if request.method == .head {
            let body = ResponseBody(contentLength: object.bytes.count) { try await $0.finish(nil) }
            return Response(status: .ok, body: body)
        }
        var (bytes, status) = (object.bytes, HTTPResponse.Status.ok)
        if let range = request.headers[.range] {
            let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            guard ends.count == 2, ends[0] < bytes.count else { return error(416, "InvalidRange") }
            (bytes, status) = (Array(bytes[ends[0]..<min(ends[1] + 1, bytes.count)]), .partialContent)
        }
        if case .other(let count) = fault { bytes = [UInt8](repeating: 9, count: count) }
        var headers: HTTPFields = [.contentType: object.type]
        if case .wrongETag = fault { headers[.eTag] = "\"00000000000000000000000000000000\"" }
        guard case .truncated = fault else {
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        let part = ByteBuffer(bytes: bytes.prefix(bytes.count / 2))
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(contentLength: bytes.count) { writer in
                try await writer.write(part)
                throw CancellationError()
            }
        )
    }

    private static func error(_ status: Int, _ code: String) -> Response {
        let text = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>m</Message></Error>"
        return Response(status: .init(code: status), body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: Signatures

    private func refusal(of request: Request, _ body: [UInt8]) -> (Int, String)? {
        let authorization = request.headers[.authorization] ?? ""
        let parts = authorization.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        guard parts.count == 4, parts[0] == "AWS4-HMAC-SHA256" else { return (403, "AccessDenied") }
        let values = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "" }
        let scope = values[0].split(separator: "/").map(String.init)
        guard scope.count == 5, scope[0] == Self.accessKey else { return (403, "InvalidAccessKeyId") }
        guard scope[2] == Self.region else { return (400, "AuthorizationHeaderMalformed") }
        let hash = request.headers[Self.contentHash] ?? ""
        guard hash == Self.hex(SHA256.hash(data: body)) else { return (400, "XAmzContentSHA256Mismatch") }
        let stamp = request.headers[Self.date] ?? ""
        let time = try? Date(Self.isoText(stamp), strategy: .iso8601).timeIntervalSince1970
        guard let time, abs(time - state.withLock { $0.time }) < 900 else { return (403, "RequestTimeTooSkewed") }
        guard values[2] == Self.signature(request, scope, names: values[1], stamp, hash) else {
            return (403, "SignatureDoesNotMatch")
        }
        return request.uri.path.hasPrefix("/\(Self.name)/") ? nil : (404, "NoSuchBucket")
    }

    private static let contentHash = HTTPField.Name("x-amz-content-sha256") ?? .authorization
    private static let date = HTTPField.Name("x-amz-date") ?? .authorization

    private static func isoText(_ stamp: String) -> String {
        var text = ""
        for (index, character) in stamp.enumerated() {
            if [4, 6].contains(index) { text += "-" }
            if [11, 13].contains(index) { text += ":" }
            text.append(character)
        }
        return text
    }

    private static func signature(
        _ request: Request,
        _ scope: [String],
        names: String,
        _ stamp: String,
        _ hash: String
    ) -> String {
        var lines = ["\(request.method.rawValue)", request.uri.path, ""]
        for name in names.split(separator: ";").map(String.init) {
            let value = name == "host" ? request.head.authority : HTTPField.Name(name).flatMap { request.headers[$0] }
            lines.append("\(name):\(value ?? "")")
        }
        lines += ["", names, hash]
        let canonical = hex(SHA256.hash(data: Data(lines.joined(separator: "\n").utf8)))
        let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope.dropFirst().joined(separator: "/"))\n\(canonical)"
        var key = SymmetricKey(data: Data("AWS4\(secretKey)".utf8))
        for part in scope.dropFirst() {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        return hex(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}
