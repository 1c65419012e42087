/// The name of a member, compared without making a string of it.
///
/// It borrows the reader's bytes and must not outlive them.
public struct JSONKey {
    @usableFromInline let raw: UnsafeBufferPointer<UInt8>
    /// The name where its bytes are not simply ASCII.
    @usableFromInline let decoded: String?

    init(raw: UnsafeBufferPointer<UInt8>, decoded: String?) {
        self.raw = raw
        self.decoded = decoded
    }

    /// Whether the name is that.
    @inlinable
    public func matches(_ name: StaticString) -> Bool {
        if let decoded {
            return decoded.utf8.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        guard raw.count == name.utf8CodeUnitCount else { return false }
        var index = 0
        while index < raw.count {
            if raw[index] != name.utf8Start[index] { return false }
            index &+= 1
        }
        return true
    }

    /// The name.
    public var string: String { decoded ?? String(decoding: raw, as: UTF8.self) }

    /// Whether a key is that name, so that a `switch` reads well.
    @inlinable
    public static func ~= (name: StaticString, key: JSONKey) -> Bool { key.matches(name) }
}
