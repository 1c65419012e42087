import Statistics

/// The results of many simulated experiments, each looked at every day.
public struct SimulationTally: Sendable {
    /// The number of experiments.
    public private(set) var experiments = 0
    /// The number of experiments in which, on any day, the variant was called better or worse.
    public private(set) var calls = 0
    /// The number of experiments in which, on any day, it was called the contrary of what it is.
    public private(set) var wrongCalls = 0
    /// The number of experiments in which the interval of the difference missed the truth on any day.
    public private(set) var misses = 0
    /// The number of experiments in which the interval of the lift missed the truth on any day.
    public private(set) var liftMisses = 0
    /// The number of experiments in which the division of users was called wrong on any day.
    public private(set) var ratioAlarms = 0
    /// The number of experiments in which an ordinary test at 5 %, looked at every day, would have called a difference.
    public private(set) var ordinaryCalls = 0

    /// Runs experiments.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - world: What is true.
    ///   - seed: The same seed gives the same experiments.
    public init(_ count: Int, in world: SimulatedWorld, seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<count { add(SimulatedExperiment(world), in: world, &random) }
    }

    /// A share of all experiments.
    public func share(_ count: Int) -> Double { Double(count) / Double(max(1, experiments)) }

    private mutating func add(
        _ fresh: SimulatedExperiment,
        in world: SimulatedWorld,
        _ random: inout SplitMix
    ) {
        var experiment = fresh
        var seen = (call: false, wrong: false, miss: false, liftMiss: false, ratio: false, ordinary: false)
        for _ in 0..<world.days {
            experiment.run(&random)
            seen.ratio = seen.ratio || experiment.ratio?.isMismatch == true
            guard let comparison = experiment.comparison, let interval = comparison.differenceInterval else { continue }
            seen.call = seen.call || comparison.verdict != .noDifferenceYet
            seen.wrong =
                seen.wrong || (comparison.verdict == .higher && world.lift <= 0)
                || (comparison.verdict == .lower && world.lift >= 0)
            seen.miss = seen.miss || !interval.contains(world.difference)
            seen.liftMiss = seen.liftMiss || comparison.liftInterval?.contains(world.lift) == false
            seen.ordinary = seen.ordinary || (experiment.welch?.pValue ?? 1) < 0.05
        }
        experiments += 1
        calls += seen.call ? 1 : 0
        wrongCalls += seen.wrong ? 1 : 0
        misses += seen.miss ? 1 : 0
        liftMisses += seen.liftMiss ? 1 : 0
        ratioAlarms += seen.ratio ? 1 : 0
        ordinaryCalls += seen.ordinary ? 1 : 0
    }
}

/// One experiment, which goes on day by day.
struct SimulatedExperiment {
    private struct Group {
        var users = 0
        var active = 0
        var sum = 0.0
        var squares = 0.0

        var sample: Sample {
            Sample(count: Int64(users), active: Int64(active), sum: sum, sumOfSquares: squares)
        }
    }

    private let world: SimulatedWorld
    private var baseline = Group()
    private var variant = Group()

    init(_ world: SimulatedWorld) { self.world = world }

    /// Lives through a day.
    mutating func run(_ random: inout SplitMix) {
        let users = random.binomial(world.usersPerDay, world.split)
        add(users, rate: world.rate * (1 + world.lift), to: \.variant, &random)
        add(world.usersPerDay - users, rate: world.rate, to: \.baseline, &random)
    }

    private mutating func add(
        _ users: Int,
        rate: Double,
        to group: WritableKeyPath<SimulatedExperiment, Group>,
        _ random: inout SplitMix
    ) {
        let active = random.binomial(users, rate)
        self[keyPath: group].users += users
        self[keyPath: group].active += active
        guard case .amount(let mean, let deviation) = world.measure else {
            self[keyPath: group].sum += Double(active)
            self[keyPath: group].squares += Double(active)
            return
        }
        for _ in 0..<active {
            let amount = random.logNormal(mean: mean, deviation: deviation)
            self[keyPath: group].sum += amount
            self[keyPath: group].squares += amount * amount
        }
    }

    var comparison: SampleComparison? {
        let spread: SampleComparison.Spread = if case .share = world.measure { .separate } else { .larger }
        return SampleComparison(variant.sample, with: baseline.sample, spread: spread)
    }

    var welch: WelchTest? { WelchTest(variant.sample, with: baseline.sample) }

    var ratio: SampleRatioTest? {
        SampleRatioTest([
            SampleRatioTest.Group(
                weights: [1 - world.split, world.split],
                counts: [Int64(baseline.users), Int64(variant.users)]
            )
        ])
    }
}
