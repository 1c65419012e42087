import Statistics
import Testing

@Suite("Sample ratio")
struct SampleRatioTests {
    private func outcome(_ groups: [([Double], [Int64])]) -> SampleRatioTest? {
        SampleRatioTest(groups.map { SampleRatioTest.Group(weights: $0.0, counts: $0.1) })
    }

    @Test("Users divided as the weights say are no mismatch, and users who went missing are one")
    func detects() throws {
        let fair = try #require(outcome([([1, 1], [5_050, 4_950])]))
        #expect(!fair.isMismatch)
        #expect(fair.degreesOfFreedom == 1)
        #expect(abs(fair.chiSquare - 1) < 1e-12)
        #expect(try #require(outcome([([1, 1], [10_000, 9_200])])).isMismatch)
    }

    @Test("Weights that changed while running are no mismatch, each group by its own")
    func changedWeights() throws {
        // As one group of 50 to 50 it would be grossly wrong.
        let groups: [([Double], [Int64])] = [([1, 1], [5_010, 4_990]), ([9, 1], [9_020, 980])]
        let test = try #require(outcome(groups))
        #expect(!test.isMismatch)
        #expect(test.degreesOfFreedom == 2)
        #expect(try #require(outcome([([1, 1], [14_030, 5_970])])).isMismatch)
    }

    @Test("A variant of weight 0 takes no part, and one variant alone is not divided")
    func zeroWeights() throws {
        #expect(outcome([([1, 0], [100, 3])]) == nil)
        #expect(outcome([([1, 1], [0, 0])]) == nil)
        #expect(outcome([]) == nil)
        #expect(try #require(outcome([([2, 1, 0], [200, 100, 7])])).chiSquare == 0)
    }

    @Test("The evidence stays finite for millions of users")
    func large() throws {
        let test = try #require(outcome([([1, 1], [50_000_000, 49_000_000])]))
        #expect(test.pValue == 0)
        #expect(test.singleLookPValue < 1e-100)
    }
}
