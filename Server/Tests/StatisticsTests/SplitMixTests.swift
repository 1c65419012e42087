import Statistics
import Testing

@Suite("Numbers from a seed")
struct SplitMixTests {
    @Test("They are those that SplitMix64 is published with")
    func published() {
        var numbers = SplitMix(seed: 1_234_567)
        let first = (0..<5).map { _ in numbers.next() }
        #expect(
            first == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test("The same seed gives the same numbers, and another seed others")
    func seeds() {
        func numbers(_ seed: UInt64) -> [UInt64] {
            var source = SplitMix(seed: seed)
            return (0..<8).map { _ in source.next() }
        }
        #expect(numbers(7) == numbers(7))
        #expect(Set(numbers(7)).isDisjoint(with: numbers(8)))
    }
}
