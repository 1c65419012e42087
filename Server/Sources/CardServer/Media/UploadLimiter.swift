import CardModel
import Synchronization
import WireJSON

/// Admits uploads of pictures before their bytes are read: so many of one caller in a time and at once, and so many
/// bytes.
///
/// An upload counts for the bytes of it that are there. So slow ones don't block other callers, however many there are,
/// and one that isn't there in time ends. One that is refused for what it is before it is worked on counts a quarter:
/// whoever has chosen thirty files of a wrong kind can upload the right ones at once.
final class UploadLimiter: Sendable {
    private struct Share {
        var uploads = 0
        var held = 0
    }

    private struct State {
        var held = 0
        var each: [ByteString: Share] = [:]
    }

    /// The uploads of one caller that are read or processed at the same time.
    private static let uploads = 6
    /// The bytes that are held at the same time.
    private static let room = (all: 120 << 20, each: 30 << 20)

    /// The tokens that an upload takes, of which a refused one gets back all but one.
    private static let cost = 4

    /// The rate in tokens.
    private let rate: DeviceLimits.Rate
    private let state = Mutex(State())
    private let buckets = TokenBuckets(capacity: 1 << 12)

    /// Creates a limiter that admits so many uploads of one caller: 30 at once, and then one every two seconds, by
    /// default.
    init(_ rate: DeviceLimits.Rate = DeviceLimits.Rate(burst: 30, perSecond: 0.5)) {
        // safe: rates are written in this program
        self.rate = DeviceLimits.Rate(burst: rate.burst * Self.cost, perSecond: rate.perSecond * Double(Self.cost))
    }

    /// Reads and handles an upload, if the caller may upload now.
    ///
    /// - Parameters:
    ///   - caller: Who uploads.
    ///   - uptime: Returns the seconds since the server started.
    ///   - body: Reads the picture, each part of which it tells the meter before it keeps it, and handles it.
    /// - Returns: What `body` returns.
    /// - Throws: `RequestError` with 429 where the caller uploaded too often or uploads too much at the same time, with
    ///   503 where all callers together do, with 408 where the picture isn't there in time; what `body` throws.
    func admit<Value>(
        _ caller: Caller,
        uptime: @escaping @Sendable () -> Double,
        _ body: (UploadMeter) async throws -> Value
    ) async throws -> Value {
        let name = ByteString(caller.id)
        try enter(name)
        let meter = UploadMeter(uptime: uptime) { [self] more throws(RequestError) in try reserve(more, of: name) }
        defer { leave(name, holding: meter.heldBytes) }
        try count(caller, at: uptime())
        defer {
            if meter.isRefused { buckets.giveBack(BucketKey(.key, caller.id), rate, count: Self.cost - 1) }
        }
        return try await body(meter)
    }

    /// Counts something of a caller that has no bytes yet.
    ///
    /// - Throws: `RequestError` with 429 where the caller did it too often.
    func count(_ caller: Caller, at now: Double) throws(RequestError) {
        let wait = buckets.take(BucketKey(.key, caller.id), rate, cost: Self.cost, at: now)
        if let wait { throw .uploadsTooFast(after: wait) }
    }

    private func enter(_ caller: ByteString) throws(RequestError) {
        try state.withLock { state throws(RequestError) in
            let own = state.each[caller]?.uploads ?? 0
            guard own < Self.uploads else { throw .uploadsTooFast(after: 1) }
            state.each[caller, default: Share()].uploads = own + 1
        }
    }

    /// Counts bytes before they are kept.
    private func reserve(_ more: Int, of caller: ByteString) throws(RequestError) {
        try state.withLock { state throws(RequestError) in
            let own = state.each[caller]?.held ?? 0
            // safe: nobody holds more than there is room for
            guard more <= Self.room.each - own else { throw .uploadsTooFast(after: 1) }
            // safe: as above
            guard more <= Self.room.all - state.held else { throw .unavailable }
            // safe: checked above
            state.held += more
            // safe: checked above
            state.each[caller, default: Share()].held = own + more
        }
    }

    private func leave(_ caller: ByteString, holding gone: Int) {
        state.withLock { state in
            // safe: each gives back what it took
            state.held -= gone
            guard var share = state.each[caller] else { return }
            // safe: as above
            share.held -= gone
            share.uploads -= 1
            state.each[caller] = share.uploads > 0 ? share : nil
        }
    }
}

/// Counts the bytes of one upload while they arrive.
package final class UploadMeter: Sendable {
    /// The seconds in which all bytes have to be there: 10 MB at 1.4 Mbit/s.
    static let time = 60.0

    private let uptime: @Sendable () -> Double
    private let begin: Double
    private let reserve: @Sendable (Int) throws(RequestError) -> Void
    private let held = Mutex(0)
    private let refused = Mutex(false)

    /// Creates a meter of an upload that begins now.
    ///
    /// - Parameters:
    ///   - uptime: Returns the seconds since the server started.
    ///   - reserve: Counts bytes for the caller and all, or throws where there are too many.
    init(
        uptime: @escaping @Sendable () -> Double,
        reserve: @escaping @Sendable (Int) throws(RequestError) -> Void
    ) {
        self.uptime = uptime
        self.reserve = reserve
        begin = uptime()
    }

    /// The bytes that were counted.
    var heldBytes: Int { held.withLock { $0 } }

    /// Whether the upload was refused for what it is, before anything was done with it.
    var isRefused: Bool { refused.withLock { $0 } }

    /// Checks what has arrived before it is worked on.
    ///
    /// - Throws: What the check throws; then the upload counts a quarter.
    func check<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            refused.withLock { $0 = true }
            throw error
        }
    }

    /// Counts bytes that have arrived, before they are kept.
    ///
    /// - Throws: `RequestError` where there are too many at the same time, or they came too late.
    func receive(_ more: Int) throws(RequestError) {
        guard uptime() - begin <= Self.time else { throw .uploadTooSlow }
        try reserve(more)
        // safe: below the limits
        held.withLock { $0 += more }
    }
}
