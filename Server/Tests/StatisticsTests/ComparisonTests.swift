import Statistics
import Testing

@Suite("Comparisons")
struct ComparisonTests {
    private func share(_ successes: Int64, of trials: Int64) -> Sample {
        Sample(Proportion(successes: successes, trials: trials))
    }

    @Test(
        "The interval excludes no difference, that of the lift excludes none, and the p-value is below 5 %, all at once"
    )
    func agree() throws {
        var verdicts: Set<SampleComparison.Verdict> = []
        for successes in stride(from: Int64(20), through: 200, by: 1) {
            let comparison = try #require(
                SampleComparison(share(successes, of: 2_000), with: share(100, of: 3_000), spread: .separate)
            )
            let interval = try #require(comparison.differenceInterval)
            let lift = try #require(comparison.liftInterval)
            let isCalled = comparison.verdict == .higher || comparison.verdict == .lower
            #expect(isCalled == !interval.contains(0))
            #expect(isCalled == !lift.contains(0))
            #expect(isCalled == (comparison.pValue < 0.05))
            verdicts.insert(comparison.verdict)
        }
        #expect(verdicts == [.lower, .noDifferenceYet, .higher])
    }

    @Test("A control where nobody did anything can be beaten, without a lift")
    func zeroBaseline() throws {
        let comparison = try #require(
            SampleComparison(share(60, of: 1_000), with: share(0, of: 1_000), spread: .separate)
        )
        #expect(comparison.verdict == .higher)
        #expect(comparison.lift == nil)
        #expect(comparison.liftInterval == nil)
        #expect(comparison.pValue < 0.001)
    }

    @Test(
        "With too few users, or too few who did or did not, nothing is called",
        arguments: [(99, 50, 5_000, 500), (5_000, 3, 5_000, 10), (5_000, 4_999, 5_000, 4_990), (0, 0, 10, 1)]
    )
    func tooFew(trials: Int64, successes: Int64, otherTrials: Int64, otherSuccesses: Int64) {
        let comparison = SampleComparison(
            share(successes, of: trials),
            with: share(otherSuccesses, of: otherTrials),
            spread: .separate
        )
        #expect(comparison == nil || comparison?.verdict == .notEnoughData)
        #expect(comparison?.differenceInterval == nil)
        #expect(comparison == nil || comparison?.pValue == 1)
    }

    @Test("Several comparisons share the error: each interval is wider and each p-value larger")
    func family() throws {
        let one = try #require(SampleComparison(share(150, of: 1_000), with: share(100, of: 1_000), spread: .separate))
        let three = try #require(
            SampleComparison(share(150, of: 1_000), with: share(100, of: 1_000), spread: .separate, family: 3)
        )
        #expect(abs(three.pValue - min(1, one.pValue * 3)) < 1e-12)
        let (narrow, wide) = (try #require(one.differenceInterval), try #require(three.differenceInterval))
        #expect(wide.low < narrow.low && wide.high > narrow.high)
    }

    @Test("Amounts take the larger variance for both groups")
    func largerSpread() throws {
        let calm = Sample(count: 1_000, active: 100, sum: 1_000, sumOfSquares: 10_000)
        let wild = Sample(count: 1_000, active: 100, sum: 1_000, sumOfSquares: 90_000)
        let separate = try #require(SampleComparison(calm, with: wild, spread: .separate)?.differenceInterval)
        let larger = try #require(SampleComparison(calm, with: wild, spread: .larger)?.differenceInterval)
        #expect(larger.high > separate.high)
        #expect(try #require(SampleComparison(wild, with: wild, spread: .larger)?.differenceInterval) == larger)
    }

    @Test("Numbers that are all the same, and counts that contradict each other, do no harm")
    func degenerate() {
        #expect(Sample(count: 3, active: 3, sum: 0.3, sumOfSquares: 0.0299999999).variance == 0)
        #expect(Proportion(successes: 7, trials: 5).rate == 1)
        #expect(Proportion(successes: -1, trials: -1).wilsonInterval(confidence: 0.95) == nil)
        let same = Sample(count: 500, active: 500, sum: 500, sumOfSquares: 500)
        #expect(SampleComparison(same, with: same, spread: .larger)?.verdict == .notEnoughData)
        #expect(WelchTest(same, with: same) == nil)
        #expect(Sample(count: 1, active: 1, sum: 2, sumOfSquares: 4).interval(confidence: 0.95) == nil)
    }
}
