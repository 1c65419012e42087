import CardServer
import Testing

@Suite("Comparisons in constant time")
struct ConstantTimeTests {
    @Test("Bytes are equal only where each is, and where there are as many of both")
    func bytes() {
        #expect(ConstantTime.areEqual([UInt8](), []))
        #expect(ConstantTime.areEqual([1, 2, 3] as [UInt8], [1, 2, 3][...]))
        for changed: [UInt8] in [[0, 2, 3], [1, 0, 3], [1, 2, 0], [0, 3, 3], [1, 2], [1, 2, 3, 0]] {
            #expect(!ConstantTime.areEqual([1, 2, 3] as [UInt8], changed))
        }
    }

    @Test("Texts are compared byte by byte, so that two forms of a letter differ")
    func texts() {
        #expect(ConstantTime.areEqual("café", "café"))
        #expect(!ConstantTime.areEqual("caf\u{E9}", "cafe\u{301}"))
        #expect(!ConstantTime.areEqual("secret", "secreT"))
    }
}
