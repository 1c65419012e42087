/// Finds a text in another by their bytes, in time that grows with both and not with their product.
package struct ByteSearch: Sendable {
    let needle: [UInt8]
    /// For each prefix of a long needle, how much of it its end repeats; Knuth, Morris and Pratt.
    private let borders: [Int32]

    /// Shorter needles are looked for byte by byte, which takes no preparation and little more time.
    private static let shortest = 8

    /// Prepares to look for a text.
    package init(_ needle: String) {
        self.init(needle.bytes)
    }

    // safe: places in the needle, of eight bytes or more
    init(_ needle: [UInt8]) {
        self.needle = needle
        guard needle.count >= Self.shortest else {
            borders = []
            return
        }
        var borders = [Int32](repeating: 0, count: needle.count)
        var length = 0
        for place in 1..<needle.count {
            while length > 0, needle[place] != needle[length] { length = Int(borders[length - 1]) }
            if needle[place] == needle[length] { length += 1 }
            borders[place] = Int32(truncatingIfNeeded: length)
        }
        self.borders = borders
    }

    /// Whether the text is part of another; an empty one is part of all.
    package func isFound(in text: String) -> Bool {
        needle.isEmpty || text.withBytes { first(in: $0, from: 0) } != nil
    }

    /// The place of the first occurrence at or after a place, of a needle that is not empty.
    func first(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { first(in: $0, from: start) }
    }

    /// The place of the last occurrence, which may overlap another; the end for an empty needle.
    func last(in bytes: [UInt8]) -> Int? {
        guard !needle.isEmpty else { return bytes.count }
        return bytes.withUnsafeBufferPointer { bytes in
            guard !borders.isEmpty else {
                let places = stride(from: bytes.count - needle.count, through: 0, by: -1)
                return places.first { isNeedle(in: bytes, at: $0) }
            }
            var (last, length): (Int?, Int) = (nil, 0)
            for place in bytes.indices {
                advance(&length, bytes[place])
                guard length == needle.count else { continue }
                last = place + 1 - length
                length = Int(borders[length - 1])
            }
            return last
        }
    }

    // safe: places in the text; the needle fits in what is left
    private func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let head = needle.first, bytes.count - start >= needle.count else { return nil }
        if borders.isEmpty {
            for place in start...(bytes.count - needle.count) where bytes[place] == head {
                if isNeedle(in: bytes, at: place) { return place }
            }
            return nil
        }
        var length = 0
        for place in start..<bytes.count {
            advance(&length, bytes[place])
            if length == needle.count { return place + 1 - length }
        }
        return nil
    }

    @inline(__always)
    private func advance(_ length: inout Int, _ byte: UInt8) {
        while length > 0, byte != needle[length] { length = Int(borders[length - 1]) }
        if byte == needle[length] { length += 1 }
    }

    private func isNeedle(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        // safe: asked where the needle fits
        for offset in needle.indices where bytes[place + offset] != needle[offset] { return false }
        return true
    }
}
