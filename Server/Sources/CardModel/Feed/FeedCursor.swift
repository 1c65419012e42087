import WireJSON

/// Where a device stands: which campaigns and which of the user's changes it has seen, and how long that holds.
///
/// On the wire it is an opaque string. A device that makes one up only misleads itself.
public struct FeedCursor: Sendable, Hashable {
    /// The store's name for its own history; another store, or one restored from a backup, has another.
    public var epoch: UInt64
    /// The campaigns' generation.
    public var generation: CatalogGeneration
    /// The user's version.
    public var version: UserVersion
    /// When it was given out, in whole seconds.
    public var issuedAt: Int64
    /// From when on it says nothing any more, even if neither number has changed, in whole seconds; 0 for no such time.
    public var recheckAt: Int64

    /// Makes a cursor.
    public init(
        epoch: UInt64,
        generation: CatalogGeneration,
        version: UserVersion,
        issuedAt: UnixTime,
        recheckAt: UnixTime?
    ) {
        self.epoch = epoch
        self.generation = generation
        self.version = version
        self.issuedAt = Int64(issuedAt.rounded(.down))
        // Rounding up keeps a device from asking again just before the moment.
        self.recheckAt = recheckAt.map { Int64($0.rounded(.up)) } ?? 0
    }

    /// Reads a cursor, or returns `nil` where it is none of ours.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].elementsEqual("1".utf8), let epoch = UInt64(Substring(parts[1]), radix: 36)
        else { return nil }
        var numbers: [Int64] = []
        for part in parts[2...] {
            guard let number = Int64(Substring(part), radix: 36), number >= 0 else { return nil }
            numbers.append(number)
        }
        self.epoch = epoch
        generation = numbers[0]
        version = numbers[1]
        issuedAt = numbers[2]
        recheckAt = numbers[3]
    }

    /// The opaque string.
    public var text: String {
        let numbers = [generation, version, issuedAt, recheckAt].map { String($0, radix: 36) }
        return (["1", String(epoch, radix: 36)] + numbers).joined(separator: ".")
    }

    /// Whether the device has all there is.
    public func isCurrent(epoch: UInt64, generation: CatalogGeneration, version: UserVersion, at now: UnixTime) -> Bool {
        epoch == self.epoch && generation == self.generation && version == self.version
            && (recheckAt == 0 || now < Double(recheckAt))
    }

    /// Whether a device that stands here can be told what changed since; otherwise it has to be told everything.
    func isUsable(epoch: UInt64, generation: CatalogGeneration, version: UserVersion) -> Bool {
        epoch == self.epoch && self.generation <= generation && self.version <= version
    }
}
