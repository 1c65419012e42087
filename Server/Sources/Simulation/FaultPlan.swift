/// A fault of one request.
package enum RequestFault: Sendable, Equatable {
    /// It never leaves.
    case requestLost
    /// The server acts and its answer never arrives.
    case answerLost
    /// The answer comes that many seconds late.
    case late(Double)
    /// It arrives twice, one after the other.
    case twice

    /// The name in the summary.
    package var name: String {
        switch self {
        case .requestLost: "request lost"
        case .answerLost: "answer lost"
        case .late: "late"
        case .twice: "sent twice"
        }
    }
}

/// Decides which requests go wrong.
package struct RequestFaultPlan: Sendable {
    private var random: SeededRandom

    /// Creates the plan of one device in one life of its process.
    package init(seed: UInt64, device: String, life: Int) {
        random = SeededRandom(seed: seed, "requests", device, "\(life)")
    }

    /// Returns the fault of the next request: one in four has one.
    package mutating func next() -> RequestFault? {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5: .requestLost
        case 5..<13: .answerLost
        case 13..<18: .late(Double.random(in: 0.05...1.5, using: &random))
        case 18..<25: .twice
        default: nil
        }
    }
}

/// Decides which processes are killed, and when.
package struct KillPlan: Sendable, Equatable {
    /// One kill.
    package struct Kill: Sendable, Equatable {
        /// Seconds after the beginning.
        package let at: Double
        /// The client process, or `nil` for the server.
        package let process: Int?
    }

    /// The kills in their order.
    package let kills: [Kill]

    /// Creates the plan of a run: the server dies every three to six seconds, some client process every two to five.
    package init(seed: UInt64, seconds: Double, processes: Int) {
        var random = SeededRandom(seed: seed, "kills")
        var kills: [Kill] = []
        var time = 2.0
        while true {
            time += Double.random(in: 3...6, using: &random)
            if time >= seconds { break }
            kills.append(Kill(at: time, process: nil))
        }
        time = 1.0
        while true {
            time += Double.random(in: 2...5, using: &random)
            if time >= seconds { break }
            kills.append(Kill(at: time, process: Int.random(in: 0..<processes, using: &random)))
        }
        self.kills = kills.sorted { $0.at < $1.at }
    }
}
