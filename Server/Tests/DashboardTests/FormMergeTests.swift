import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: forms of which two members have saved one")
struct FormMergeTests {
    @Test("What only the other has changed is taken over, and what both changed is one's own")
    func merging() throws {
        let base: JSONValue = [
            "name": "A", "tags": "", "rules": ["freeze": "", "days": "1"], "items": [["v": "1"], ["v": "2"]],
        ]
        let mine: JSONValue = ["name": "Mine", "tags": "", "rules": ["days": "1"], "items": [["v": "1"], ["v": "9"]]]
        let theirs: JSONValue = [
            "name": "Theirs", "tags": "t", "rules": ["freeze": "on", "days": "1"], "items": [["v": "8"], ["v": "2"]],
        ]
        let merged = FormMerge.merge(mine, theirs, since: base)
        #expect(merged["name"] == "Mine")
        #expect(merged["tags"] == "t")
        #expect(merged["rules"]?["freeze"] == "on")
        #expect(merged["items"] == [["v": "8"], ["v": "9"]])
        // A row that was added has nothing to be merged with.
        let longer: JSONValue = ["items": [["v": "1"], ["v": "2"], ["v": "3"]]]
        #expect(FormMerge.merge(longer, theirs, since: base)["items"] == longer["items"])
    }

    @Test("Variants that one has added or removed don't undo what another has made of theirs")
    func mergingByID() {
        func rows(_ rows: [(id: String, title: String)]) -> JSONValue {
            ["variants": .array(rows.map { ["id": .string($0.id), "title": .string($0.title)] })]
        }
        let base = rows([("a", "A"), ("b", "B")])
        // Both have added one, and each has changed another's title.
        let mine = rows([("a", "Mine"), ("b", "B"), ("c", "C")])
        let theirs = rows([("a", "A"), ("b", "Theirs"), ("d", "D")])
        let both = FormMerge.merge(mine, theirs, since: base)
        #expect(both == rows([("a", "Mine"), ("b", "Theirs"), ("c", "C"), ("d", "D")]))
        // They have removed what nobody has touched here, and what was changed here.
        #expect(FormMerge.merge(mine, rows([("a", "A")]), since: base) == rows([("a", "Mine"), ("c", "C")]))
        #expect(FormMerge.merge(mine, rows([("b", "B")]), since: base) == mine)
        // A variant was removed here that they have changed.
        #expect(FormMerge.merge(rows([("a", "A")]), rows([("a", "Z"), ("b", "Y")]), since: base) == rows([("a", "Z")]))
        // Two of one ID have no partners.
        let twice = rows([("a", "A"), ("a", "B"), ("c", "C")])
        #expect(FormMerge.merge(twice, theirs, since: base) == twice)
    }

    @Test("Where both have added a variant by the next free letter, both are there")
    func mergingSameID() {
        func rows(_ rows: [(id: String, title: String)]) -> JSONValue {
            ["variants": .array(rows.map { ["id": .string($0.id), "title": .string($0.title)] })]
        }
        let base = rows([("a", "A"), ("b", "B")])
        let mine = rows([("a", "A"), ("b", "B"), ("c", "Mine")])
        let theirs = rows([("a", "A"), ("b", "Theirs"), ("c", "C")])
        let both = rows([("a", "A"), ("b", "Theirs"), ("c-2", "Mine"), ("c", "C")])
        #expect(FormMerge.merge(mine, theirs, since: base) == both)
        // The same one, such as by two saves of one form, is there once.
        let same = rows([("a", "Z"), ("b", "B"), ("c", "C")])
        #expect(FormMerge.merge(same, theirs, since: base) == rows([("a", "Z"), ("b", "Theirs"), ("c", "C")]))
    }
}
