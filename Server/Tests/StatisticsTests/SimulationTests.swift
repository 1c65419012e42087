import ExperimentSimulation
import Foundation
import Testing

@Suite("Simulated experiments, looked at every day", .serialized)
struct SimulationTests {
    @Test("10,000 without an effect raise a false alarm in at most the promised share")
    func noEffect() async {
        let world = SimulatedWorld("", usersPerDay: 200, rate: 0.08)

        let tally = await simulate(10_000, in: world, seed: 1)

        #expect(tally.share(tally.calls) <= 0.05)
        #expect(tally.share(tally.misses) <= 0.05)
        #expect(tally.share(tally.liftMisses) <= 0.05)
        #expect(tally.share(tally.ratioAlarms) <= 0.01)
        // An ordinary test, looked at as often, is what this is instead of: the simulation can tell them apart.
        #expect(tally.share(tally.ordinaryCalls) > 0.15)
    }

    @Test(
        "With an effect the interval covers the truth as promised, and the effect is found",
        arguments: [
            SimulatedWorld("shares", usersPerDay: 400, rate: 0.05, lift: 0.4),
            SimulatedWorld("one in ten", usersPerDay: 1_000, split: 0.1, rate: 0.02, lift: 0.6),
            SimulatedWorld(
                "amounts",
                usersPerDay: 400,
                rate: 0.05,
                lift: 0.5,
                measure: .amount(mean: 3, deviation: 1)
            ),
        ]
    )
    func effect(world: SimulatedWorld) async {
        let tally = await simulate(1_000, in: world, seed: 2)

        #expect(tally.share(tally.misses) <= 0.05)
        #expect(tally.share(tally.liftMisses) <= 0.05)
        #expect(tally.share(tally.wrongCalls) <= 0.005)
        #expect(tally.share(tally.calls) > 0.5)
    }

    @Test("Rare and heavy amounts, divided unequally, raise no more false alarms than promised")
    func heavyAmounts() async {
        let world = SimulatedWorld(
            "",
            usersPerDay: 400,
            split: 0.1,
            rate: 0.05,
            measure: .amount(mean: 3, deviation: 1)
        )
        let tally = await simulate(1_000, in: world, seed: 3)
        #expect(tally.share(tally.calls) <= 0.05)
    }

    /// Simulates on a thread of its own: the seconds that it takes would be taken from every test that runs beside.
    private func simulate(_ count: Int, in world: SimulatedWorld, seed: UInt64) async -> SimulationTally {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: SimulationTally(count, in: world, seed: seed)) }
            thread.qualityOfService = .background
            thread.start()
        }
    }
}
