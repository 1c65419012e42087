/// Text that is compared and hashed by its bytes.
///
/// As a `String`, text equals what looks the same in Unicode; finding that out takes long for long texts, and the
/// reference language compares bytes.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ByteText, right: ByteText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Calls a function with the bytes, which are not copied unless they lie scattered.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }

    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in UnsafeRawBufferPointer(left).isSame(as: UnsafeRawBufferPointer(right)) }
        }
    }

    /// Whether the text stands before another by its bytes, or is the same.
    func order(to other: String) -> Ordering {
        withBytes { left in
            other.withBytes { right in
                let common = min(left.count, right.count)
                for place in 0..<common where left[place] != right[place] {
                    return left[place] < right[place] ? .less : .greater
                }
                return Ordering(left.count, right.count)
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether bytes of the same number are the same, eight at a time.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= count {
            let left = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard left == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
            place += 8
        }
        while place < count {
            guard self[place] == other[place] else { return false }
            place += 1
        }
        return true
    }
}
