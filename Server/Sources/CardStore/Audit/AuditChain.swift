import Crypto
import WireJSON

/// The end of the audit log, and its beginning after older entries were pruned.
public struct AuditChain: Sendable, Hashable {
    /// A point of the log that can be noted elsewhere and compared later, written `1234:9f86…`.
    public struct Mark: Sendable, Hashable, CustomStringConvertible {
        /// The number of entries that there had been up to that point, pruned ones too.
        public var count: Int64
        /// The place of the last of them.
        public var position: Int64
        /// Its hash; empty before the first entry.
        public var hash: [UInt8]

        /// Creates a mark.
        public init(count: Int64 = 0, position: Int64 = 0, hash: [UInt8] = []) {
            self.count = count
            self.position = position
            self.hash = hash
        }

        /// Reads the count and the hash in hexadecimal, `0:` before the first entry; `nil` where the text is no mark.
        public init?(_ text: String) {
            if text.hasSameBytes(as: Mark().description) {
                (count, position, hash) = (0, 0, [])
                return
            }
            let parts = text.split(at: ":", omittingEmptySubsequences: false)
            // Numbers are read with a sign, too, which no mark has.
            guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int64(parts[0]), count > 0
            else { return nil }
            // safe: each is a byte, and a digit is below 16
            let digits = parts[1].utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
            guard digits.count == 64, parts[1].utf8.count == 64 else { return nil }
            let bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            self.count = count
            position = 0
            hash = bytes
        }

        /// The count and the hash in hexadecimal.
        public var description: String { "\(count):\(AuditChain.hexadecimal(hash))" }
    }

    /// The last entry.
    public var last: Mark
    /// The last entry that was pruned; the first one that is left is chained to it.
    public var anchor: Mark

    /// Creates the chain of an empty log, or restores one.
    public init(last: Mark = Mark(), anchor: Mark = Mark()) {
        self.last = last
        self.anchor = anchor
    }

    /// Appends an entry, and returns it.
    public mutating func append(_ note: AuditNote) -> AuditEntry {
        // A file that was tampered with may say anything; that must not end the process.
        let entry = AuditEntry(position: last.position &+ 1, note, after: last.hash)
        last = Mark(count: last.count &+ 1, position: entry.position, hash: entry.hash)
        return entry
    }

    /// Forgets the oldest entries.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - entry: The newest of them.
    public mutating func prune(_ count: Int, through entry: AuditEntry) {
        anchor = Mark(count: anchor.count &+ Int64(count), position: entry.position, hash: entry.hash)
    }

    /// Bytes in hexadecimal.
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension AuditEntry {
    /// The hash of this entry where it follows another.
    ///
    /// SHA-256 over the text `placard audit 1`, the hash before it, the position and the bits of the time as big-endian
    /// 64-bit numbers, and the kind, actor, action, subject and details, each behind its length as a big-endian 32-bit
    /// number; all ones stand for the length of details that are absent.
    ///
    /// - Parameter previous: The hash of the entry before it; empty for the first.
    /// - Returns: 32 bytes.
    public func chained(to previous: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array("placard audit 1".utf8))
        hash.update(data: previous)
        Self.update(&hash, UInt64(bitPattern: position))
        Self.update(&hash, at.bitPattern)
        for text in [actorKind, actor, action, subject, details] {
            Self.update(&hash, text.map { UInt32(truncatingIfNeeded: $0.utf8.count) } ?? .max)
            if let text { hash.update(data: Array(text.utf8)) }
        }
        return Array(hash.finalize())
    }

    private static func update(_ hash: inout SHA256, _ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { hash.update(bufferPointer: $0) }
    }
}
