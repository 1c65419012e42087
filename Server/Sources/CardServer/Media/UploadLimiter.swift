import CardModel
import Synchronization
import WireJSON

/// Admits uploads of pictures before their bytes are read: so many of one caller in a time, and so many at once.
final class UploadLimiter: Sendable {
    private struct State {
        var all = 0
        var each: [ByteString: Int] = [:]
    }

    /// The uploads of one caller: 30 at once, and then one every two seconds.
    private static let rate = DeviceLimits.Rate(burst: 30, perSecond: 0.5)
    /// The uploads whose bytes are held at the same time: each has up to 10 MB.
    private static let limits = (all: 12, each: 6)

    private let state = Mutex(State())
    private let buckets = TokenBuckets(capacity: 1 << 12)

    /// Reads and handles an upload, if the caller may upload now.
    ///
    /// - Parameters:
    ///   - caller: Who uploads.
    ///   - uptime: The seconds since the server started.
    ///   - body: Reads the picture and handles it.
    /// - Returns: What `body` returns.
    /// - Throws: `RequestError` with 429 where the caller uploaded too often or uploads too much at the same time, with
    ///   503 where all callers together do; what `body` throws.
    func admit<Value>(
        _ caller: Caller,
        at uptime: Double,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let name = ByteString(caller.id)
        try enter(name)
        defer { leave(name) }
        if let wait = buckets.take(BucketKey(.key, caller.id), Self.rate, at: uptime) {
            throw RequestError.uploadsTooFast(after: wait)
        }
        return try await body()
    }

    private func enter(_ caller: ByteString) throws(RequestError) {
        try state.withLock { state throws(RequestError) in
            let own = state.each[caller] ?? 0
            guard own < Self.limits.each else { throw .uploadsTooFast(after: 1) }
            guard state.all < Self.limits.all else { throw .unavailable }
            state.all += 1
            // safe: below the limit
            state.each[caller] = own + 1
        }
    }

    private func leave(_ caller: ByteString) {
        state.withLock { state in
            state.all -= 1
            // safe: each that entered leaves once
            let own = (state.each[caller] ?? 1) - 1
            state.each[caller] = own > 0 ? own : nil
        }
    }
}
