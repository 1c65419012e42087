import Crypto
import Foundation
import WireJSON

/// A key that the secrets in a store are encrypted with: 256 random bits, kept outside of the store.
public struct SecretsKey: Sendable, Hashable, CustomStringConvertible {
    private static let byteCount = 32
    /// Fewer different bytes than random ones ever have: a placeholder was typed.
    private static let fewestDifferentBytes = 12

    /// Eight bytes that tell which key it is without telling the key.
    public let id: [UInt8]
    let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        id = Array(SHA256.hash(data: Array("placard secrets key".utf8) + bytes).prefix(8))
    }

    /// Reads a key of 32 bytes in base 64 or hexadecimal; `nil` where the text is none, or isn't random.
    public init?(text: some StringProtocol) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Self.hexadecimal(text) ?? Data(base64Encoded: text).map(Array.init),
            bytes.count == Self.byteCount, Set(bytes).count >= Self.fewestDifferentBytes
        else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates a key from the system's source of randomness.
    public static func random() -> SecretsKey {
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        return SecretsKey(bytes: bytes)
    }

    /// The key in base 64, as a key file holds it.
    public var text: String { Data(bytes).base64EncodedString() }

    /// The id in hexadecimal; never the key.
    public var description: String { Self.name(of: id) }

    /// An id in hexadecimal, as people read it.
    public static func name(of id: [UInt8]) -> String {
        id.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * byteCount else { return nil }
        // safe: each is a byte, and a digit is below 16
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}

/// The keys that the secrets in a store may be encrypted with.
public struct SecretsKeyring: Sendable, Hashable {
    /// The keys, the newest first.
    public private(set) var keys: [SecretsKey]

    /// Creates a keyring.
    public init(_ keys: [SecretsKey] = []) { self.keys = keys }

    /// Reads keys that stand on lines of their own or between commas; a line that begins with `#` is a comment.
    ///
    /// - Returns: `nil` where one of them can't be read, or there is none.
    public init?(text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        let texts = lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("#") }
            .flatMap { $0.split(at: ",") }
            .filter { !$0.allSatisfy(\.isWhitespace) }
        let keys = texts.compactMap { SecretsKey(text: $0) }
        guard !keys.isEmpty, keys.count == texts.count else { return nil }
        self.keys = keys
    }

    /// The key of an id, or `nil`.
    public func key(_ id: some Sequence<UInt8>) -> SecretsKey? { keys.first { $0.id.elementsEqual(id) } }

    /// The keyring with another key in front.
    public func adding(_ key: SecretsKey) -> SecretsKeyring { SecretsKeyring([key] + keys.filter { $0 != key }) }
}

/// The source of the keys for the secrets in a store.
public enum SecretsKeySource: Sendable, Hashable {
    /// A file, which is created with a new key where there is none and nothing is encrypted yet.
    case file(path: String)
    /// Keys that are kept elsewhere, the newest first.
    case keyring(SecretsKeyring)

    /// The files that hold keys.
    package var files: [String] {
        switch self {
        case .file(let path): [path]
        case .keyring: []
        }
    }
}
