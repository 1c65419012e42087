import CardModel
import CardStore
import CardStoreConformance
import Testing

@Suite("Audit log: values")
struct AuditValueTests {
    @Test("Texts that are too long are cut")
    func bounds() {
        let long = String(repeating: "é", count: 10_000)
        let note = AuditNote("a", of: long, details: ["x": .string(long)], at: 0, by: command)
        #expect(note.subject.utf8.count <= 512)
        #expect(note.details == #"{"omitted":true}"#)
    }

    @Test("A mark is read as it is written")
    func marks() throws {
        let mark = AuditChain.Mark(count: 12, position: 0, hash: (0..<32).map { UInt8($0 * 8) })
        #expect(AuditChain.Mark(mark.description) == mark)
        for text in [
            "", "12", "0:\(String(repeating: "a", count: 64))", "1:\(String(repeating: "g", count: 64))", "1:é",
        ] {
            #expect(AuditChain.Mark(text) == nil, "\(text)")
        }
    }
}
