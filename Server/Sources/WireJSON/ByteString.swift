/// Text that is identified by its UTF-8 bytes.
///
/// Two Swift strings are equal where Unicode calls them canonically equivalent: `é` in one scalar and in two, or the
/// Kelvin sign and the letter K. A database, a hash and a signature see bytes. Whatever names something, such as an id,
/// an attribute or an event, is compared as this type, so that memory and storage never disagree about what is the
/// same.
public struct ByteString: Sendable {
    /// The text.
    public let text: String

    /// Creates a byte string from text.
    @inlinable
    public init(_ text: String) { self.text = text }

    /// Creates a byte string from a part of a text.
    public init(_ text: Substring) { self.text = String(text) }
}

extension ByteString: Hashable, Comparable {
    /// Returns whether two texts have the same bytes.
    public static func == (left: ByteString, right: ByteString) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    /// Orders texts by their bytes, as databases do.
    public static func < (left: ByteString, right: ByteString) -> Bool { left.text.precedesInBytes(right.text) }
}

extension ByteString: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Creates a byte string from a literal.
    public init(stringLiteral value: String) { text = value }

    /// The text.
    public var description: String { text }
}

extension String {
    /// Returns whether the UTF-8 bytes of two texts are the same; canonically equivalent texts need not be.
    public func hasSameBytes(as other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { mine.hasSameBytes(as: $0) }
        }
        // A string that was bridged from Objective-C has no contiguous storage.
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the UTF-8 bytes begin with those of another text, which may end within a character.
    public func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns whether the text comes before another in the order of their UTF-8 bytes.
    public func precedesInBytes(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { mine.precedes($0) }
        }
        return (precedes ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes come before others; a buffer comes before what it is the beginning of.
    fileprivate func precedes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let common = Swift.min(count, other.count)
        let (mine, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var index = 0
        while index &+ 8 <= common {
            let word = mine.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let otherWord = others.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // As big-endian numbers, eight bytes are ordered as they are one by one.
            guard word == otherWord else { return word.bigEndian < otherWord.bigEndian }
            index &+= 8
        }
        while index < common {
            guard mine[index] == others[index] else { return mine[index] < others[index] }
            index &+= 1
        }
        return count < other.count
    }

    /// Returns whether two buffers hold the same bytes, comparing eight at a time.
    fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (mine, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var index = 0
        while index &+ 8 <= count {
            let word = mine.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard word == others.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < count {
            guard mine[index] == others[index] else { return false }
            index &+= 1
        }
        return true
    }
}
