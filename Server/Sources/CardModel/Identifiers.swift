public import WireJSON

/// Time as the wire and the stores have it: seconds since 1970 in UTC, with fractions.
public typealias UnixTime = Double

/// Counts the changes of one user's data; every change makes it larger by one or more.
public typealias UserVersion = Int64

/// Counts the changes of the campaigns; every change that an app may see makes it larger.
public typealias CatalogGeneration = Int64

/// A text that identifies something, compared by its UTF-8 bytes.
///
/// The types that conform aren't `RawRepresentable`: the standard library compares such types by their raw values with
/// `!=`, which are strings, so that canonically equivalent ids would be both equal and not equal.
public protocol Identifier: Hashable, Comparable, Sendable {
    /// The bytes by which the id is compared.
    var bytes: ByteString { get }
}

extension Identifier {
    /// The id as text.
    public var rawValue: String { bytes.text }

    /// Orders ids by their bytes, as stores do.
    public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}

/// Names an end user, as the app does.
///
/// Two ids are the same where their bytes are: to a store and to ``StableHash``, `é` in one scalar and in two are two
/// users, so they are two everywhere.
public struct UserID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside, or returns `nil` where it isn't an ``IdentityText`` of 1 to 512 bytes.
    public init?(checking text: String) {
        guard IdentityText.isValid(text, maximumBytes: 512) else { return nil }
        bytes = ByteString(text)
    }
}

/// Names a campaign: `cmp_` and 22 letters and digits, or what the caller chose at creation.
public struct CampaignID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        bytes = ByteString(text)
    }
}

/// Names a variant within its campaign.
public struct VariantID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside: 1 to 64 letters, digits, `_`, `-` and `.`.
    public init?(checking text: String) {
        guard Slug.isValid(text) else { return nil }
        bytes = ByteString(text)
    }
}

/// Names one card of one user: a UUID given out at first delivery.
public struct CardID: Identifier {
    /// The bytes by which the id is compared.
    public let bytes: ByteString

    /// Takes an id that was checked before.
    public init(rawValue: String) { bytes = ByteString(rawValue) }

    /// Takes an id from outside, or returns `nil` where it isn't an ``IdentityText`` of 1 to 255 bytes.
    public init?(checking text: String) {
        guard IdentityText.isValid(text) else { return nil }
        bytes = ByteString(text)
    }
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
