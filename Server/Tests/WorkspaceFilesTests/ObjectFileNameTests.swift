import Testing

@testable import WorkspaceFiles

@Suite("Names of files")
struct FileNameTests {
    @Test("lead nowhere else, whatever an id has")
    func hostile() {
        let ids = [
            "../../etc/passwd", ".", "..", ".git", "-rf", "a/b", "a\\b", "a\u{0}b", "é", "con:",
            String(repeating: "é", count: 127),
        ]
        for id in ids {
            let name = ObjectFileName.base(of: ObjectReference(.contentType, id))
            #expect(!name.contains("/") && !name.hasPrefix(".") && !name.hasPrefix("-"))
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && name.utf8.count <= 170)
        }
        #expect(ObjectFileName.base(of: ObjectReference(.contentType, "../a")) == "%2E.%2Fa")
        #expect(ObjectFileName.base(of: ObjectReference(.campaign, "spring.sale-2")) == "spring.sale-2")
    }

    @Test("of different ids are different")
    func different() {
        let long = String(repeating: "é", count: 126)
        let names = ["a", "A", "%61", "é", "e\u{301}", long + "a", long + "b"].map {
            ObjectFileName.base(of: ObjectReference(.contentType, $0))
        }
        #expect(Set(names).count == names.count)
    }
}
