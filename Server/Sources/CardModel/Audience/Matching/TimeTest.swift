import WireJSON

/// A condition on a time, in relation to others or to now.
///
/// As time passes each changes its answer at two moments at most, and holds from the first up to the second.
enum TimeTest: Sendable, Hashable {
    case before(UnixTime)
    case after(UnixTime)
    case lessThanAgo(Double)
    case greaterThanAgo(Double)
    case lessThanAhead(Double)
    case greaterThanAhead(Double)

    init?(_ comparison: AttributeClause.Comparison, _ value: Double) {
        switch comparison {
        case .before: self = .before(value)
        case .after: self = .after(value)
        case .lessThanDaysAgo: self = .lessThanAgo(value * secondsPerDay)
        case .greaterThanDaysAgo: self = .greaterThanAgo(value * secondsPerDay)
        case .lessThanDaysAhead: self = .lessThanAhead(value * secondsPerDay)
        case .greaterThanDaysAhead: self = .greaterThanAhead(value * secondsPerDay)
        default: return nil
        }
    }

    func holds(_ time: UnixTime, at now: UnixTime, _ until: inout UnixTime) -> Bool {
        switch self {
        case .before(let other): return time < other
        case .after(let other): return time > other
        case .lessThanAgo(let seconds): return holds(from: time, to: time + seconds, now, &until)
        case .greaterThanAgo(let seconds): return holds(from: time + seconds, to: .infinity, now, &until)
        case .lessThanAhead(let seconds): return holds(from: time - seconds, to: time, now, &until)
        case .greaterThanAhead(let seconds): return holds(from: -.infinity, to: time - seconds, now, &until)
        }
    }

    private func holds(from start: UnixTime, to end: UnixTime, _ now: UnixTime, _ until: inout UnixTime) -> Bool {
        if start > now, start < end {
            until = min(until, start)
        } else if end > now {
            until = min(until, end)
        }
        return start <= now && now < end
    }
}

/// A version such as `2.10.1`, whose numbers are compared one by one; what follows the numbers makes no difference.
struct VersionNumber: Sendable, Hashable, Comparable {
    private let numbers: [Int]

    init?(_ value: JSONValue) {
        guard let text = value.string ?? value.double.map({ _ in value.text }) else { return nil }
        var numbers: [Int] = []
        for part in text.split(at: ".", omittingEmptySubsequences: false) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { break }
            numbers.append(Int(digits) ?? .max)
            if digits.count < part.count { break }
        }
        guard !numbers.isEmpty else { return nil }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
