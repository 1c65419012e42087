import Liquid
import Testing

@Suite("A hash")
struct HashTests {
    @Test("keeps of equal keys the last value in the place of the first, be they few or many")
    func equalKeys() {
        var random = SeededRandom(seed: 71)
        for _ in 0..<100 {
            var keys: [String] = []
            var values: [String: Int] = [:]
            let pairs = (0..<Int.random(in: 0...20, using: &random)).map { place in
                // The two ways to write é are two keys.
                let key = ["a", "b", "\u{E9}", "e\u{301}", "", "x\(place % 9)"][Int.random(in: 0...5, using: &random)]
                let name = key.utf8.map(String.init).joined(separator: ",")
                if values.updateValue(place, forKey: name) == nil { keys.append(key) }
                return (key: key, value: LiquidValue.int(place))
            }
            let hash = LiquidHash(pairs)
            #expect(hash.pairs.map { Array($0.key.utf8) } == keys.map { Array($0.utf8) })
            for key in keys {
                #expect(hash[key] == values[key.utf8.map(String.init).joined(separator: ",")].map { .int($0) })
            }
            #expect(hash["none"] == nil && hash.count == keys.count)
        }
    }
}
