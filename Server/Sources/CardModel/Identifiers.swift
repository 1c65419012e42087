/// Time as the wire and the stores have it: seconds since 1970 in UTC, with fractions.
public typealias UnixTime = Double

/// Counts the changes of one user's data; every change makes it larger by one or more.
public typealias UserVersion = Int64

/// Counts the changes of the campaigns; every change that an app may see makes it larger.
public typealias CatalogGeneration = Int64

/// Names an end user, as the app does.
///
/// Two ids are the same where their bytes are: to a store and to ``StableHash``, `é` in one scalar and in two are two
/// users, so they must be two everywhere.
public struct UserID: RawRepresentable, Hashable, Sendable {
    /// The id as the app spells it.
    public let rawValue: String

    /// Takes an id that was checked before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes an id from outside, or returns `nil` where it is empty, longer than 512 bytes or holds control characters.
    public init?(checking text: String) {
        guard (1...512).contains(text.utf8.count) else { return nil }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        rawValue = text
    }

    /// Whether the bytes are the same.
    public static func == (left: UserID, right: UserID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Names a campaign: `cmp_` and 22 letters and digits, or what the caller chose at creation.
public struct CampaignID: RawRepresentable, Hashable, Sendable {
    /// The id.
    public let rawValue: String

    /// Takes an id that was checked before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        rawValue = text
    }
}

/// Names a variant within its campaign.
public struct VariantID: RawRepresentable, Hashable, Sendable {
    /// The id.
    public let rawValue: String

    /// Takes an id that was checked before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        rawValue = text
    }
}

/// Names one card of one user: a UUID given out at first delivery.
public struct CardID: RawRepresentable, Hashable, Sendable {
    /// The id.
    public let rawValue: String

    /// Takes an id that was checked before.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The spelling that ids chosen by people must have, so that they fit a path and a file name.
enum Slug {
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                isLetter(byte) || (0x30...0x39).contains(byte) || [0x5F, 0x2D, 0x2E].contains(byte)
            }
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
