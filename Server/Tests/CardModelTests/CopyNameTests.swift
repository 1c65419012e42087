import CardModel
import Testing

@Suite("Names of copies")
struct CopyNameTests {
    @Test("A copy is named after its original")
    func short() {
        #expect(CopyName.of("VIP") == "VIP (copy)")
        #expect(CopyName.of("VIP (copy)") == "VIP (copy) (copy)")
        #expect(CopyName.of("") == " (copy)")
    }

    @Test("A long name loses its end and keeps within what a name may have, in characters and in bytes")
    func long() {
        let characters = CopyName.of(String(repeating: "n", count: 255))
        #expect(characters.count == 255 && characters.hasSuffix("nn (copy)"))
        let bytes = CopyName.of(String(repeating: "\u{1F469}\u{200D}\u{1F469}", count: 255))
        #expect((1_000...1_020).contains(bytes.utf8.count) && bytes.hasSuffix(" (copy)"))
    }
}
