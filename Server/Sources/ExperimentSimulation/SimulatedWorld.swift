import Foundation

/// The truth in a simulated experiment, which the mathematics has to find out.
public struct SimulatedWorld: Sendable {
    /// The number that is measured of each user.
    public enum Measure: Sendable {
        /// Whether they did something.
        case share
        /// The amount that they spent: nothing for most, and for the others an amount whose logarithm is normal.
        case amount(mean: Double, deviation: Double)
    }

    /// The display name of the metric.
    public var name: String
    /// New users a day, in both groups.
    public var usersPerDay: Int
    /// The number of days on which the report is read, once a day.
    public var days: Int
    /// The share of users who get the variant; the others get the baseline.
    public var split: Double
    /// The rate of the baseline.
    public var rate: Double
    /// The part of it by which the rate of the variant is higher.
    public var lift: Double
    /// The number that is measured.
    public var measure: Measure

    /// Creates a world.
    public init(
        _ name: String,
        usersPerDay: Int,
        days: Int = 28,
        split: Double = 0.5,
        rate: Double,
        lift: Double = 0,
        measure: Measure = .share
    ) {
        self.name = name
        self.usersPerDay = usersPerDay
        self.days = days
        self.split = split
        self.rate = rate
        self.lift = lift
        self.measure = measure
    }

    /// The true difference of the means.
    var difference: Double {
        switch measure {
        case .share: rate * lift
        case .amount(let mean, let deviation): rate * lift * exp(mean + deviation * deviation / 2)
        }
    }
}

extension SimulatedWorld {
    /// The worlds of the published figures: without an effect, and with one.
    public static let published: [SimulatedWorld] = [
        SimulatedWorld("5 % click, half and half", usersPerDay: 400, rate: 0.05),
        SimulatedWorld("30 % click, half and half", usersPerDay: 100, rate: 0.3),
        SimulatedWorld("1 % convert, one in ten", usersPerDay: 1000, split: 0.1, rate: 0.01),
        SimulatedWorld(
            "5 % buy for about 30, half and half",
            usersPerDay: 400,
            rate: 0.05,
            measure: .amount(mean: 3, deviation: 1)
        ),
        SimulatedWorld(
            "5 % buy for about 30, one in ten",
            usersPerDay: 400,
            split: 0.1,
            rate: 0.05,
            measure: .amount(mean: 3, deviation: 1)
        ),
    ]

    /// The same world with a variant that works.
    public func lifted(by lift: Double) -> SimulatedWorld {
        var world = self
        world.lift = lift
        return world
    }
}
