/// Scalars that a class is made of.
struct ScalarSet: Sendable, Equatable {
    /// In order, without gaps of nothing between them; a class of any length is searched in a few steps.
    private let ranges: [ClosedRange<UInt32>]
    let isNegated: Bool
    /// The scalars of ASCII that are among the ranges: nearly all that is ever asked.
    private let ascii: (low: UInt64, high: UInt64)

    init(ranges: [ClosedRange<UInt32>] = [], isNegated: Bool = false) {
        self.ranges = Self.merged(ranges)
        self.isNegated = isNegated
        ascii = (Self.bits(from: 0, of: self.ranges), Self.bits(from: 64, of: self.ranges))
    }

    static func == (left: ScalarSet, right: ScalarSet) -> Bool {
        left.ranges == right.ranges && left.isNegated == right.isNegated
    }

    // safe: scalars end at 0x10FFFF, and the ranges are in order
    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    private static func bits(from start: UInt32, of ranges: [ClosedRange<UInt32>]) -> UInt64 {
        (0..<64).reduce(0) { bits, place in
            // safe: below 128
            ranges.contains { $0.contains(start + place) } ? bits | 1 << UInt64(place) : bits
        }
    }

    func contains(_ scalar: UInt32) -> Bool {
        holds(scalar) != isNegated
    }

    private func holds(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return ascii.low >> UInt64(scalar) & 1 == 1 }
        // safe: 64 or more, or it was found above
        if scalar < 128 { return ascii.high >> UInt64(scalar - 64) & 1 == 1 }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }

    static let digits = ScalarSet(ranges: [0x30...0x39])
    static let space = ScalarSet(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x2028...0x2029])
    /// ASCII letters, digits and the underscore.
    static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// The class that holds whatever this one does not.
    var inverted: ScalarSet { ScalarSet(ranges: ranges, isNegated: !isNegated) }

    // safe: scalars end at 0x10FFFF, and the ranges are in order
    /// The ranges of all scalars that it contains.
    var members: [ClosedRange<UInt32>] {
        guard isNegated else { return ranges }
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10_FFFF { gaps.append(next...0x10_FFFF) }
        return gaps
    }
}
