import CardModel
import Testing

@Suite("Codes for tests")
struct TestCodeTests {
    @Test(
        "A code is read as people type it",
        arguments: ["KM4T-9XWD", "km4t9xwd", " Km4t – 9xwd ", "ＫＭ４Ｔー９ｘｗｄ", "K M 4 T 9 X W D"]
    )
    func typed(_ text: String) throws {
        let code = try #require(TestCode(typed: text))
        #expect(code.text == "KM4T9XWD" && code.description == "KM4T-9XWD")
    }

    @Test(
        "What can't be a code is none",
        arguments: [
            "", "KM4T-9XW", "KM4T-9XWDD", "KM4T-9XWA", "KM4T-9XW0", "KM4T-9XW1", "KM4T-9XW😀", "KM4T-9XW\u{0}", "É",
        ]
    )
    func wrong(_ text: String) { #expect(TestCode(typed: text) == nil) }

    @Test("A new code has letters and digits that can't be taken for others, each as often as any")
    func new() {
        var random = SystemRandomNumberGenerator()
        var counts: [Character: Int] = [:]
        for _ in 0..<3_000 {
            let code = TestCode(using: &random)
            #expect(TestCode(typed: code.description) == code && code.text.count == TestCode.length)
            for letter in code.text { counts[letter, default: 0] += 1 }
        }
        #expect(counts.count == 24)
        #expect(counts.keys.allSatisfy { !"AEIOUY01LSZ8".contains($0) })
        // A thousand are expected of each; six standard deviations are 186.
        #expect(counts.values.allSatisfy { (814...1_186).contains($0) })
    }

    @Test("A name of a device is short and printable")
    func names() {
        #expect(TestUser.isName("Anna’s iPhone") && TestUser.isName(String(repeating: "x", count: TestUser.nameBytes)))
        #expect(!TestUser.isName("") && !TestUser.isName("a\nb"))
        #expect(!TestUser.isName(String(repeating: "x", count: TestUser.nameBytes + 1)))
    }
}
