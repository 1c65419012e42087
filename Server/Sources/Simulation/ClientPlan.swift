/// The next step of a simulated client, by chance alone.
package struct ClientStep: Sendable, Equatable {
    /// The action of a step.
    package enum Action: Sendable, Equatable {
        case refresh
        case impression
        case click
        case dismissal
        case custom
        /// The client's other user takes the device.
        case switchUser
    }

    /// The pause before it, in seconds.
    package let pause: Double
    /// The action of the step.
    package let action: Action
    /// Chooses among the cards that are there.
    package let choice: UInt64
    /// Whether the user's second device does it.
    package let isOnSecondDevice: Bool
    /// The point at which the process kills itself on the way, if it does.
    package let death: Death?

    /// A moment of a log call at which a kill is hardest to get right.
    package enum Death: Sendable, Equatable {
        /// The call has begun and nothing is written.
        case beforeWriting
        /// The event is in the queue and the caller does not know.
        case beforeReturning
    }

    /// The index of the chosen one of so many, or `nil` of none.
    package func index(among count: Int) -> Int? {
        count > 0 ? Int(choice % UInt64(count)) : nil
    }
}

/// All that one simulated client does in one life of its process.
package struct ClientPlan: Sequence, IteratorProtocol, Sendable {
    private static let shares: [(share: Int, action: ClientStep.Action)] = [
        (36, .impression), (18, .click), (8, .dismissal), (14, .custom), (20, .refresh), (4, .switchUser),
    ]

    private var random: SeededRandom
    private let meanPause: Double
    private let hasDeaths: Bool

    /// Creates the plan of a client; each life of its process has its own.
    package init(seed: UInt64, client: Int, life: Int, meanPause: Double, hasDeaths: Bool) {
        self.hasDeaths = hasDeaths
        random = SeededRandom(seed: seed, "client", "\(client)", "\(life)")
        self.meanPause = meanPause
    }

    /// The next step.
    ///
    /// There is always one.
    package mutating func next() -> ClientStep? {
        let pause = Double.random(in: 0.2...1.8, using: &random) * meanPause
        var place = Int.random(in: 0..<100, using: &random)
        var action = ClientStep.Action.refresh
        for (share, candidate) in Self.shares {
            if place < share {
                action = candidate
                break
            }
            place -= share
        }
        return ClientStep(
            pause: pause,
            action: action,
            choice: random.next(),
            isOnSecondDevice: Int.random(in: 0..<100, using: &random) < 12,
            death: death()
        )
    }

    /// One step in 400 ends the process, so that a run of 200 clients has some of both kinds.
    private mutating func death() -> ClientStep.Death? {
        switch Int.random(in: 0..<800, using: &random) {
        case 0 where hasDeaths: .beforeWriting
        case 1 where hasDeaths: .beforeReturning
        default: nil
        }
    }
}
