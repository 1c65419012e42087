import WireJSON

/// A code that an app shows, by which a member of the team sends a test to the device without knowing its user's id.
///
/// Eight letters and digits that look like no other of them, without vowels so that no words come about: some 110
/// billion codes. It is valid for a few minutes, and means nothing but "the user of this device".
public struct TestCode: Sendable, Hashable, CustomStringConvertible {
    /// The seconds for which a code is valid: ten minutes.
    public static let lifetime = 600.0
    /// The number of letters and digits.
    public static let length = 8
    /// The maximum number of valid codes of one user, who has several devices; the oldest goes for a new one.
    public static let userLimit = 5
    /// The maximum number of valid codes that were asked for from one address.
    public static let clientLimit = 100
    /// The maximum number of valid codes in all.
    public static let limit = 10_000

    private static let alphabet = Array("BCDFGHJKMNPQRTVWX2345679".utf8)

    /// The code as it is typed, in capitals and without a hyphen.
    @Bytewise public private(set) var text: String

    /// Creates a code.
    ///
    /// - Parameter random: A source of randomness that can't be guessed, such as the system's.
    public init(using random: inout some RandomNumberGenerator) {
        var bytes: [UInt8] = []
        for _ in 0..<Self.length { bytes.append(Self.alphabet.randomElement(using: &random) ?? UInt8(ascii: "B")) }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a code as people type it: in any case, with spaces and hyphens, and in the full-width letters of a
    /// Japanese keyboard.
    ///
    /// Returns `nil` for a text that can't be a code.
    public init?(typed text: some StringProtocol) {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars where !Self.isIgnored(scalar) {
            guard bytes.count < Self.length, let byte = Self.byte(scalar) else { return nil }
            bytes.append(byte)
        }
        guard bytes.count == Self.length else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// The code as an app shows it: two groups with a hyphen between them.
    public var description: String {
        let half = Self.length / 2
        return "\(text.prefix(half))-\(text.dropFirst(half))"
    }

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDash || scalar == "\u{30FC}"
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        // Full-width forms stand in the order of ASCII.
        let isWide = (0xFF01...0xFF5E).contains(scalar.value)
        // safe: at least U+FF01
        guard let byte = UInt8(exactly: isWide ? scalar.value - 0xFEE0 : scalar.value) else { return nil }
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        // safe: a small letter
        let capital = isSmall ? byte - 0x20 : byte
        return alphabet.contains(capital) ? capital : nil
    }
}

/// The device whose user a code stands for.
public struct TestCodeHolder: Sendable, Hashable {
    /// The user who is signed in on the device, an anonymous one perhaps.
    public let user: UserID
    /// The device.
    @Bytewise public private(set) var device: String
    /// The address that the code was asked for from, or `nil` where it has none; a store keeps a hash of it.
    @Bytewise public private(set) var client: String?

    /// Creates the holder of a code.
    public init(user: UserID, device: String, client: String?) {
        self.user = user
        self.device = device
        self.client = client
    }
}

/// The state of a code that a device has asked for.
public enum TestCodeOutcome: Sendable, Hashable {
    /// It is valid, in place of the device's earlier one.
    case saved
    /// There is no such user.
    case userUnknown
    /// Another device has the same code by chance; another one is to be tried.
    case taken
    /// There are as many codes as can be; in so many seconds the first of them ends.
    case tooMany(Double)
}
