/// Text that is identified by its UTF-8 bytes.
///
/// Two Swift strings are equal where Unicode calls them canonically equivalent: `é` in one scalar and in two, or the
/// Kelvin sign and the letter K. The server, its database and its signatures see bytes, so for them these are two
/// users. Ids of users, cards and devices, tokens and cursors are compared as this type.
package struct BytewiseText: Sendable {
    /// The text.
    package let text: String

    /// Creates one from text.
    package init(_ text: String) { self.text = text }
}

extension BytewiseText: Hashable, Comparable {
    /// Returns whether two texts have the same bytes.
    package static func == (left: BytewiseText, right: BytewiseText) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        // A string that was bridged from Objective-C has no contiguous storage.
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }

    /// Orders texts by their bytes, as databases do.
    package static func < (left: BytewiseText, right: BytewiseText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension BytewiseText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates one from a literal.
    package init(stringLiteral value: String) { text = value }

    /// The text.
    package var description: String { text }
}

extension String {
    /// Returns whether the UTF-8 bytes of two texts are the same; canonically equivalent texts need not be.
    package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
    /// Returns whether both are `nil` or have the same bytes.
    package func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (let text?, let other?): text.hasSameBytes(as: other)
        case (nil, nil): true
        default: false
        }
    }
}
