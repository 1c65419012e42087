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

extension FileNameTests {
    @Test(
        "are read by their ends alone",
        arguments: ["a.yaml", "a.yml", "a.json", "a.b.yaml", "%2E.yaml", "a.yaml.json"]
    )
    func read(_ name: String) {
        #expect(ObjectFileName.base(of: name) == String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)]))
    }

    @Test(
        "without such an end, or with nothing before it, aren't read",
        arguments: ["", ".yaml", "a", "a.YAML", "yaml", "a."]
    )
    func unread(_ name: String) { #expect(ObjectFileName.base(of: name) == nil) }

    @Test("for a second object differ from the first, also where a disk takes capitals for small letters")
    func second() {
        let (small, capital) = (ObjectReference(.segment, "a"), ObjectReference(.segment, "A"))
        #expect(ObjectFileName.otherBase(of: small).lowercased() != ObjectFileName.otherBase(of: capital).lowercased())
        #expect(ObjectFileName.otherBase(of: capital).hasPrefix("A~") && ObjectFileName.base(of: small) == "a")
        #expect(ObjectFileName.base(of: ObjectReference(.settings)) == "settings")
    }
}
