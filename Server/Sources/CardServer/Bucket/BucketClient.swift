import CardModel
import NIOHTTP1
import NIOSSL
import Synchronization

/// Writes, reads and removes the objects of a bucket.
///
/// What is repeated is safe to repeat: a key is written once with one content, and what is removed twice is removed.
final class BucketClient: Sendable {
    /// An operation on a bucket.
    enum Operation: String, CaseIterable, Sendable {
        case put
        case get
        case head
        case delete

        fileprivate var method: HTTPMethod {
            switch self {
            case .put: .PUT
            case .get: .GET
            case .head: .HEAD
            case .delete: .DELETE
            }
        }

        /// The maximum number of times that a request is sent.
        fileprivate var attempts: Int {
            switch self {
            case .put, .delete: 3
            case .get, .head: 2
            }
        }

        /// The time for an attempt, in seconds.
        fileprivate var timeout: Double {
            switch self {
            case .put: 20
            case .get: 10
            case .head, .delete: 5
            }
        }
    }

    /// The time and chance that a client uses.
    struct Surroundings: Sendable {
        /// The time now, by which requests are signed.
        let clock: @Sendable () -> UnixTime
        /// Seconds of a clock that never goes back.
        let uptime: @Sendable () -> Double
        /// A number from 0 to 1.
        var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Waits for that many seconds.
        // safe: less than a second
        var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
        /// The factor by which the time for an attempt is multiplied.
        var patience = 1.0
    }

    /// The bytes that an answer may have which isn't an object.
    private static let answerLimit = 16 << 10
    /// The requests that are in flight at a time.
    private static let loadLimit = 64

    /// The bucket.
    let settings: BucketSettings
    private let client: OutboundClient
    private let surroundings: Surroundings
    private let count: @Sendable (Operation, BucketError?) -> Void
    private let reading = Mutex(BucketPause())

    /// Creates a client of a bucket, which may be on a private network, since the operator names it.
    ///
    /// - Parameters:
    ///   - settings: The bucket.
    ///   - surroundings: What time and chance are.
    ///   - tracer: Traces requests, or `nil` where nothing is traced.
    ///   - count: Counts a request that ended, with what it failed with.
    init(
        _ settings: BucketSettings,
        _ surroundings: Surroundings,
        tracer: Tracer? = nil,
        count: @escaping @Sendable (Operation, BucketError?) -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.surroundings = surroundings
        self.count = count
        let roots = settings.trustedCertificates.map { NIOSSLTrustRoots.file($0) } ?? .default
        client = OutboundClient(
            allowsPrivateHosts: true,
            trust: OutboundTrust(roots),
            load: WorkLimit(Self.loadLimit),
            tracer: tracer
        )
    }

    /// Writes an object.
    ///
    /// - Parameters:
    ///   - bytes: All of it.
    ///   - key: The key behind the prefix of the settings.
    ///   - type: Its media type.
    /// - Throws: `BucketError`; then it isn't known whether the object is there.
    func put(_ bytes: [UInt8], at key: String, type: String) async throws(BucketError) {
        _ = try await send(.put, key, headers: ["content-type": type], body: bytes, limit: Self.answerLimit)
    }

    /// Reads a part of an object whose size is known.
    ///
    /// - Parameters:
    ///   - key: The key behind the prefix of the settings.
    ///   - range: Which bytes; not beyond the size.
    ///   - size: How many bytes the object has.
    /// - Returns: Those bytes, all of them.
    /// - Throws: `BucketError`, also where there are fewer or the object has another size.
    func get(_ key: String, in range: Range<Int>, of size: Int) async throws(BucketError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        // safe: no size is below 0
        let isAll = range == 0..<size
        // safe: not empty
        let header = ["range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        guard reading.withLock({ $0.allowsRequest(at: surroundings.uptime()) }) else {
            count(.get, .paused)
            throw .paused
        }
        do throws(BucketError) {
            let answer = try await send(
                .get,
                key,
                headers: isAll ? [:] : header,
                limit: max(range.count, Self.answerLimit),
                accepts: { $0.status == (isAll ? 200 : 206) && $0.body.count == range.count }
            )
            reading.withLock { $0.note(nil, at: surroundings.uptime()) }
            return answer.body
        } catch {
            reading.withLock { $0.note(error, at: surroundings.uptime()) }
            throw error
        }
    }

    /// Returns how many bytes an object has, or `nil` where there is none.
    func head(_ key: String) async throws(BucketError) -> Int? {
        do throws(BucketError) {
            return try await send(.head, key, limit: 0, accepts: { $0.contentLength != nil }).contentLength
        } catch .missing {
            return nil
        }
    }

    /// Removes an object; one that isn't there is removed.
    func delete(_ key: String) async throws(BucketError) {
        do throws(BucketError) {
            _ = try await send(.delete, key, limit: Self.answerLimit)
        } catch .missing {}
    }

    // MARK: Sending

    private func send(
        _ operation: Operation,
        _ key: String,
        headers: [String: String] = [:],
        body: [UInt8] = [],
        limit: Int,
        accepts: (OutboundResponse) -> Bool = { _ in true }
    ) async throws(BucketError) -> OutboundResponse {
        let hash = BucketSignature.hash(body)
        var attempt = 1
        while true {
            do throws(BucketError) {
                let request = try request(operation, key, headers, body, hash)
                let response = try await exchange(request, operation, limit: limit, accepts: accepts)
                count(operation, nil)
                return response
            } catch {
                count(operation, error)
                guard error.isPassing, attempt < operation.attempts, !Task.isCancelled else { throw error }
                do {
                    try await surroundings.wait(pause(after: attempt))
                } catch {
                    throw .unreachable("It was cancelled")
                }
                attempt += 1
            }
        }
    }

    /// Returns the time to wait after an attempt, in seconds: twice as long each time, and by chance from half of that
    /// on, so that servers don't come at once.
    private func pause(after attempt: Int) -> Double {
        0.2 * Double(1 << attempt) * (0.5 + surroundings.chance() / 2)
    }

    private func request(
        _ operation: Operation,
        _ key: String,
        _ headers: [String: String],
        _ body: [UInt8],
        _ hash: String
    ) throws(BucketError) -> OutboundRequest {
        let url = try settings.url(of: key)
        let signature = BucketSignature(
            credentials: settings.credentials,
            region: settings.region,
            time: surroundings.clock()
        )
        var signed = headers
        signed["host"] = url.authority
        let described = BucketSignature.Request(
            method: operation.method.rawValue,
            path: url.target,
            headers: signed,
            bodyHash: hash
        )
        var all = signature.headers(for: described)
        // The client sends its own, which is the same.
        all["host"] = nil
        var request = OutboundRequest(url: url, method: operation.method, headers: all, body: body)
        request.wantsBody = operation != .head
        return request
    }

    private func exchange(
        _ request: OutboundRequest,
        _ operation: Operation,
        limit: Int,
        accepts: (OutboundResponse) -> Bool
    ) async throws(BucketError) -> OutboundResponse {
        let response: OutboundResponse
        do {
            let timeout = operation.timeout * surroundings.patience
            response = try await client.send(request, timeout: timeout, bodyLimit: limit)
        } catch OutboundError.tooLarge {
            throw .unexpected("more bytes than the object has")
        } catch OutboundError.unreachable(let reason) {
            throw .unreachable(reason)
        } catch OutboundError.busy {
            throw .failed(status: 503, code: "TooManyRequests")
        } catch {
            throw .unreachable("\(type(of: error))")
        }
        guard (200..<300).contains(response.status) else {
            throw BucketError(status: response.status, body: response.body)
        }
        guard accepts(response) else {
            throw .unexpected("HTTP \(response.status) with \(Quantity.text(response.body.count, "byte"))")
        }
        return response
    }
}
