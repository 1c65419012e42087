extension StringProtocol {
    /// Splits the text at each occurrence of an ASCII character, by its bytes.
    ///
    /// A mark that follows a character, or a sign that precedes it, makes another character of both to Swift: text that
    /// is split by characters hides the separator then. What comes from outside is split by bytes, as its other readers
    /// do.
    ///
    /// - Parameters:
    ///   - separator: The separator, an ASCII character.
    ///   - maxSplits: How many times the text is split at most.
    ///   - omittingEmptySubsequences: Whether empty parts are left out.
    /// - Returns: The parts, in their order.
    @inlinable
    public func split(
        at separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        let parts = utf8.split(
            separator: UInt8(ascii: separator),
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        )
        // safe: parts of the text
        return parts.map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Splits the text at each occurrence of any of some ASCII characters, by its bytes, without empty parts.
    @inlinable
    public func split(atAnyOf separators: StaticString) -> [SubSequence] {
        let parts = utf8.split { byte in separators.withUTF8Buffer { $0.contains(byte) } }
        // safe: parts of the text
        return parts.map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text before and behind the first occurrence of an ASCII character, by its bytes, or `nil` where it has none.
    @inlinable
    public func divided(at separator: Unicode.Scalar) -> (before: SubSequence, behind: SubSequence)? {
        guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        // safe: an element of the text, and what is behind it
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The text before the first occurrence of an ASCII character, by its bytes, or all of it where it has none.
    @inlinable
    public func prefix(before separator: Unicode.Scalar) -> SubSequence {
        // safe: an element of the text, or its end
        self[..<(utf8.firstIndex(of: UInt8(ascii: separator)) ?? endIndex)]
    }

    /// Returns whether the text begins with another one, by its bytes.
    @inlinable
    public func starts(withBytesOf prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { utf8.starts(with: $0) }
    }

    /// Returns whether the text ends with another one, by its bytes.
    @inlinable
    public func ends(withBytesOf suffix: StaticString) -> Bool {
        suffix.withUTF8Buffer { utf8.suffix($0.count).elementsEqual($0) }
    }

    /// The text behind another one that it begins with, by its bytes, or `nil` where it begins with something else.
    @inlinable
    public func dropping(bytesOf prefix: StaticString) -> SubSequence? {
        guard starts(withBytesOf: prefix) else { return nil }
        return self[utf8.index(utf8.startIndex, offsetBy: prefix.utf8CodeUnitCount)...]
    }

    /// Returns whether another text is somewhere in the text, by its bytes.
    public func contains(bytesOf text: StaticString) -> Bool {
        text.withUTF8Buffer { utf8.firstRange(of: $0) != nil }
    }
}
