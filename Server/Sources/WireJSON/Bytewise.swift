/// A value that can be compared and hashed by the UTF-8 bytes of its texts.
public protocol ByteComparable: Sendable {
    /// Returns whether two values have the same bytes.
    static func haveSameBytes(_ left: Self, _ right: Self) -> Bool
    /// Hashes the bytes.
    func hashBytes(into hasher: inout Hasher)
}

/// Lets a type that derives `Hashable` compare one of its properties by bytes.
///
/// The property keeps its type. Without the wrapper, a change from one canonically equivalent text to another is no
/// change to the derived `==`, and is lost.
@propertyWrapper
public struct Bytewise<Value: ByteComparable>: Hashable, Sendable {
    /// The value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Returns whether two values have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        Value.haveSameBytes(left.wrappedValue, right.wrappedValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

extension String: ByteComparable {
    /// Returns whether two texts have the same bytes.
    public static func haveSameBytes(_ left: String, _ right: String) -> Bool { left.hasSameBytes(as: right) }

    /// Hashes the UTF-8 bytes.
    public func hashBytes(into hasher: inout Hasher) {
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        // No text in UTF-8 has this byte, so neighbouring fields can't run into each other.
        hasher.combine(0xFF as UInt8)
    }
}

extension Optional: ByteComparable where Wrapped: ByteComparable {
    /// Returns whether both are `nil` or have the same bytes.
    public static func haveSameBytes(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): Wrapped.haveSameBytes(left, right)
        case (nil, nil): true
        default: false
        }
    }

    /// Hashes the bytes, and whether there are any.
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(self != nil)
        self?.hashBytes(into: &hasher)
    }
}

extension Array: ByteComparable where Element: ByteComparable {
    /// Returns whether the elements have the same bytes, one by one.
    public static func haveSameBytes(_ left: [Element], _ right: [Element]) -> Bool {
        left.elementsEqual(right, by: Element.haveSameBytes)
    }

    /// Hashes the bytes of all elements.
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hashBytes(into: &hasher) }
    }
}

extension StringMap: ByteComparable where Value: ByteComparable {
    /// Returns whether names and values have the same bytes, in the same order.
    public static func haveSameBytes(_ left: Self, _ right: Self) -> Bool {
        left.elementsEqual(right) { $0.key.hasSameBytes(as: $1.key) && Value.haveSameBytes($0.value, $1.value) }
    }

    /// Hashes the bytes of names and values.
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(count)
        for (name, value) in self {
            name.hashBytes(into: &hasher)
            value.hashBytes(into: &hasher)
        }
    }
}
