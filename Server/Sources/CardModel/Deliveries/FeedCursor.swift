import WireJSON

/// The position of a device: the campaigns and the user's changes that it has seen, and how long that holds.
///
/// On the wire it is an opaque string with a checksum, so that one which was damaged on its way is none.
public struct FeedCursor: Sendable, Hashable {
    /// The history that the numbers belong to; see ``history(of:createdAt:in:)``.
    public var epoch: UInt64
    /// The campaigns' generation.
    public var generation: CatalogGeneration
    /// The user's version.
    public var version: UserVersion
    /// The time at which it was given out, in whole Unix seconds.
    public var issuedAt: Int64
    /// The time from which it says nothing any more, even if neither number has changed, in whole seconds; 0 for no
    /// such time.
    public var recheckAt: Int64

    /// Creates a cursor.
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
        self.issuedAt = Int64(exactly: issuedAt.rounded(.down)) ?? 0
        // Rounded up, a sync in the rest of that second would miss what has changed by then.
        self.recheckAt = recheckAt.flatMap { Int64(exactly: max($0.rounded(.down), 1)) } ?? 0
    }

    /// Names the history of a user in a store.
    ///
    /// A store restored from a backup counts again, and so does a user who was deleted and made again: versions of one
    /// history say nothing in another. Nor do those of another user, for a client that keeps its cursor when it
    /// switches.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - createdAt: When the user was made.
    ///   - epoch: The store's own name for the history of the user's versions.
    /// - Returns: The name that a cursor carries.
    public static func history(of user: UserID, createdAt: UnixTime, in epoch: UInt64) -> UInt64 {
        epoch ^ createdAt.bitPattern ^ StableHash.of("cursor", user.rawValue)
    }

    /// Reads a cursor, or returns `nil` where it isn't from this server.
    public init?(_ text: String) {
        var parser = CursorParser(text: Array(text.utf8))
        guard parser.startsWithVersion(), let epoch = parser.number(upTo: .max),
            let generation = parser.number(upTo: UInt64(Int64.max)),
            let version = parser.number(upTo: UInt64(Int64.max)),
            let issuedAt = parser.number(upTo: UInt64(Int64.max)),
            let recheckAt = parser.number(upTo: UInt64(Int64.max)),
            let checksum = parser.number(upTo: .max),
            parser.isAtEnd
        else { return nil }
        self.epoch = epoch
        // safe: the parser has held it to what fits
        self.generation = Int64(generation)
        // safe: the parser has held it to what fits
        self.version = Int64(version)
        // safe: the parser has held it to what fits
        self.issuedAt = Int64(issuedAt)
        // safe: the parser has held it to what fits
        self.recheckAt = Int64(recheckAt)
        guard checksum == self.checksum else { return nil }
    }

    /// The checksum that reveals a damaged cursor: 30 bits of all numbers.
    private var checksum: UInt64 {
        let numbers = [generation, version, issuedAt, recheckAt]
        let sum = numbers.reduce(epoch) { sum, number in
            let product = (sum ^ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
            return product ^ product >> 32
        }
        return sum & 0x3FFF_FFFF
    }

    /// The opaque string.
    public var text: String {
        var text = "2." + String(epoch, radix: 36)
        for number in [generation, version, issuedAt, recheckAt] {
            text += "."
            text += String(number, radix: 36)
        }
        return text + "." + String(checksum, radix: 36)
    }

    /// Whether the device has all there is.
    public func isCurrent(epoch: UInt64, generation: CatalogGeneration, version: UserVersion, at now: UnixTime) -> Bool
    {
        epoch == self.epoch && version == self.version && mayBeCurrent(generation: generation, at: now)
    }

    /// Whether the device may have all there is, as far as that can be told without its user.
    public func mayBeCurrent(generation: CatalogGeneration, at now: UnixTime) -> Bool {
        generation == self.generation && !isAhead(of: now) && (recheckAt == 0 || now < Double(recheckAt))
    }

    /// Whether a device that stands here can be told what changed since; otherwise it has to be told everything.
    func isUsable(epoch: UInt64, generation: CatalogGeneration, version: UserVersion, at now: UnixTime) -> Bool {
        epoch == self.epoch && self.generation <= generation && self.version <= version && !isAhead(of: now)
    }

    /// Whether the clock was set back since: then a card that had expired when the cursor was given out may be back.
    private func isAhead(of now: UnixTime) -> Bool { Double(issuedAt) > now }
}

/// Reads the numbers of a cursor: to the base of 36 in lower case, each after a point.
private struct CursorParser {
    let text: [UInt8]
    private var index = 1

    init(text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    func startsWithVersion() -> Bool { text.first == UInt8(ascii: "2") }

    mutating func number(upTo limit: UInt64) -> UInt64? {
        guard index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
        index += 1
        let start = index
        var value: UInt64 = 0
        while index < text.count, let digit = Self.digit(text[index]) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 36)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry, sum <= limit else { return nil }
            value = sum
            index += 1
        }
        return index > start ? value : nil
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
