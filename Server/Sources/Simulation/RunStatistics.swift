import WireJSON

/// The statistics of a run, added up over processes and their lives.
package struct RunStatistics: Sendable, Equatable {
    /// Upper bounds of the latencies that are counted together, in milliseconds; each is a tenth above the last.
    private static let bounds: [Double] = (0..<120).map { index in
        (0..<index).reduce(0.1) { bound, _ in bound * 1.1 }
    }

    /// Calls that logged something.
    package var events = 0
    /// Requests that were sent.
    package var requests = 0
    /// The number of faults that were made on purpose, by name.
    package var faults: [String: Int] = [:]
    /// Requests that failed by themselves, as when the server was dead.
    package var failures = 0
    private var latencies: [Int]

    /// Creates zero of everything.
    package init() { latencies = Array(repeating: 0, count: Self.bounds.count + 1) }

    /// Notes how long a request took.
    package mutating func note(milliseconds: Double) {
        latencies[Self.bounds.firstIndex { milliseconds <= $0 } ?? Self.bounds.count] += 1
    }

    /// The latency in milliseconds that that part of the requests did not exceed, to a tenth; `nil` of none.
    package func latency(_ part: Double) -> Double? {
        let total = latencies.reduce(0, +)
        guard total > 0 else { return nil }
        var rest = Int((Double(total) * part).rounded(.up))
        for (index, count) in latencies.enumerated() {
            rest -= count
            if rest <= 0 { return index < Self.bounds.count ? Self.bounds[index] : .infinity }
        }
        return nil
    }

    /// Adds what another process or life did.
    package static func += (left: inout RunStatistics, right: RunStatistics) {
        left.events += right.events
        left.requests += right.requests
        left.failures += right.failures
        left.faults.merge(right.faults, uniquingKeysWith: +)
        for index in left.latencies.indices { left.latencies[index] += right.latencies[index] }
    }
}

extension RunStatistics {
    /// Reads statistics, or returns `nil` where they are none.
    package init?(json: JSONValue) {
        self.init()
        guard let events = json["events"]?.integer, let requests = json["requests"]?.integer,
            let failures = json["failures"]?.integer, let faults = json["faults"]?.object,
            let counts = json["latencies"]?.array, counts.count == latencies.count
        else { return nil }
        self.events = Int(events)
        self.requests = Int(requests)
        self.failures = Int(failures)
        for (name, count) in faults { self.faults[name] = Int(count.integer ?? 0) }
        latencies = counts.map { Int($0.integer ?? 0) }
    }

    /// The statistics as they are kept.
    package var json: JSONValue {
        var names: JSONValue = [:]
        if case .object(var members) = names {
            for (name, count) in faults.sorted(by: { $0.key < $1.key }) { members[name] = .integer(Int64(count)) }
            names = .object(members)
        }
        return [
            "events": .integer(Int64(events)), "requests": .integer(Int64(requests)),
            "failures": .integer(Int64(failures)), "faults": names,
            "latencies": .array(latencies.map { .integer(Int64($0)) }),
        ]
    }
}
