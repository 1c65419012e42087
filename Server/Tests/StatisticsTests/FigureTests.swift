import Statistics
import Testing

/// Figures from SciPy 1.17 and statsmodels 0.15; `scripts/check-statistics` compares many more.
@Suite("Figures")
struct FigureTests {
    private func isClose(_ value: Double?, _ expected: Double) -> Bool {
        guard let value else { return false }
        return abs(value - expected) <= 1e-9 * max(1, abs(expected))
    }

    @Test("Normal quantiles", arguments: [(0.975, 1.959963984540054), (0.5, 0), (1e-10, -6.361340902404056)])
    func normal(probability: Double, quantile: Double) {
        #expect(isClose(NormalDistribution.quantile(probability), quantile))
    }

    @Test("Wilson's interval, to its ends")
    func wilson() throws {
        let middle = try #require(Proportion(successes: 10, trials: 100).wilsonInterval(confidence: 0.95))
        #expect(isClose(middle.low, 0.05522913706067509))
        #expect(isClose(middle.high, 0.17436566150491348))
        let none = try #require(Proportion(successes: 0, trials: 20).wilsonInterval(confidence: 0.95))
        #expect(none.low == 0)
        #expect(isClose(none.high, 0.1611251580528194))
        #expect(try #require(Proportion(successes: 20, trials: 20).wilsonInterval(confidence: 0.95)).high == 1)
    }

    @Test("The chi-square and Student's distribution")
    func distributions() {
        #expect(isClose(ChiSquareDistribution.survival(3.841458820694124, degreesOfFreedom: 1), 0.05))
        #expect(isClose(ChiSquareDistribution.survival(0, degreesOfFreedom: 3), 1))
        #expect(isClose(StudentDistribution.twoSidedQuantile(0.05, degreesOfFreedom: 10), 2.228138851986274))
        #expect(isClose(StudentDistribution.twoSidedSurvival(1, degreesOfFreedom: 1), 0.5))
        #expect(StudentDistribution.twoSidedSurvival(.infinity, degreesOfFreedom: 1) == 0)
    }
}
