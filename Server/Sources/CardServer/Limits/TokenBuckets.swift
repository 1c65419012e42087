import CardModel
import Synchronization

/// Names a token bucket: a hash of the limit and of who it limits.
///
/// The hash is seeded afresh in each process, so that nobody can choose an address or a user id that shares another's
/// bucket.
struct BucketKey: Hashable, Sendable {
    fileprivate let hash: UInt64

    private init(hash: UInt64) { self.hash = hash }

    /// Names the bucket under one rate.
    ///
    /// What was taken under another rate says nothing under this one: the time until a bucket is full again is kept in
    /// seconds, and a minute of them under a slow rate would be a wall under a fast one.
    fileprivate func under(_ rate: DeviceLimits.Rate) -> BucketKey {
        var hasher = Hasher()
        hasher.combine(hash)
        hasher.combine(rate.burst)
        hasher.combine(rate.perSecond)
        // safe: an Int of 64 bits
        return BucketKey(hash: UInt64(bitPattern: Int64(hasher.finalize())))
    }

    /// Names the bucket of a text, such as a user id; two texts are the same where their bytes are.
    init(_ kind: DeviceLimiter.DeviceRequestKind, _ text: String) {
        var hasher = Hasher()
        hasher.combine(kind)
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // safe: an Int of 64 bits
        hash = UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Names the bucket of a client's address; those of one network of version 6 share it.
    init(_ kind: DeviceLimiter.DeviceRequestKind, _ client: ClientKey) {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(client)
        // safe: an Int of 64 bits
        hash = UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// The client that an address stands for: version 4 itself, version 6 the /64 network, which is what one customer gets.
///
/// All processes that connect by a Unix socket are one client: who they work for, only a trusted proxy says.
struct ClientKey: Hashable, Sendable {
    /// The address, or `nil` for those that connect by a Unix socket.
    private let network: IPAddress?

    /// Takes an address.
    init(_ address: IPAddress) { self.init(network: address.isVersion6 ? address.prefix(64) : address) }

    private init(network: IPAddress?) { self.network = network }

    /// The address as text, or `unix`.
    var text: String { network?.description ?? "unix" }

    /// Those that connect by a Unix socket.
    static let socket = ClientKey(network: nil)
}

/// Token buckets by key, a bounded number of them.
///
/// A bucket is one number: the time at which it will be full again ("generic cell rate algorithm"). One that is full is
/// the same as none, so most can be forgotten at no loss. There are two generations of buckets, and what was not asked
/// for during a whole generation is forgotten: a flood of new addresses costs a fixed amount of memory, and whoever is
/// forgotten gets a full bucket, never an empty one.
final class TokenBuckets: Sendable {
    private struct Shard {
        var young: [BucketKey: Double] = [:]
        var old: [BucketKey: Double] = [:]
    }

    private static let shardCount = 16

    private let shards: [Mutex<Shard>.Box]
    private let generation: Int

    /// Creates buckets.
    ///
    /// - Parameter capacity: The number of buckets that are kept at the most.
    init(capacity: Int = 1 << 18) {
        shards = (0..<Self.shardCount).map { _ in Mutex<Shard>.Box(Shard()) }
        // safe: sixteen of them
        generation = max(2, capacity / (2 * Self.shardCount))
    }

    /// The number of buckets that are kept now.
    var count: Int {
        // safe: all of it is in memory
        shards.reduce(0) { sum, shard in sum + shard.value.withLock { $0.young.count + $0.old.count } }
    }

    /// Takes tokens from a bucket.
    ///
    /// - Parameters:
    ///   - key: The bucket.
    ///   - rate: Its size and rate; under another than before it starts full.
    ///   - cost: How many tokens; more than the bucket holds count as all that it holds.
    ///   - now: The time, in seconds of a clock that never goes back.
    /// - Returns: `nil` where they were there, or the seconds after which they will be; then none was taken.
    func take(_ key: BucketKey, _ rate: DeviceLimits.Rate, cost: Int = 1, at now: Double) -> Double? {
        let room = Double(rate.burst) / rate.perSecond
        let step = Double(min(cost, rate.burst)) / rate.perSecond
        let key = key.under(rate)
        return shard(of: key).withLock { shard in
            let full = max(shard.young[key] ?? shard.old[key] ?? now, now)
            let wait = full + step - now - room
            // A rounding error must not cost the last token of a burst.
            guard wait <= 1e-9 * (1 + now.magnitude) else { return wait }
            if shard.young.count >= generation, shard.young[key] == nil { Self.makeRoom(&shard, generation, now) }
            shard.young[key] = full + step
            return nil
        }
    }

    /// Gives as many tokens back.
    func giveBack(_ key: BucketKey, _ rate: DeviceLimits.Rate, count: Int = 1) {
        let key = key.under(rate)
        shard(of: key).withLock { shard in
            guard let full = shard.young[key] ?? shard.old[key] else { return }
            shard.young[key] = full - Double(count) / rate.perSecond
        }
    }

    // safe: four bits, and sixteen of them
    private func shard(of key: BucketKey) -> Mutex<Shard>.Box { shards[Int(key.hash >> 60)] }

    /// Forgets buckets that are full, and where that is not enough the older generation.
    private static func makeRoom(_ shard: inout Shard, _ generation: Int, _ now: Double) {
        shard.young = shard.young.filter { $0.value > now }
        guard shard.young.count > generation / 2 else { return }
        shard.old = shard.young
        shard.young = [:]
    }
}

extension Mutex where Value: Sendable {
    /// Lets a mutex, which cannot be copied, stand in an array.
    final class Box: Sendable {
        let value: Mutex<Value>

        init(_ value: sending Value) { self.value = Mutex(value) }

        func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
            try value.withLock(body)
        }
    }
}
