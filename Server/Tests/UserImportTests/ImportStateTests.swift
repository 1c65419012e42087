import Testing
import UserImport
import WireJSON

@Suite("How far an import is")
struct ImportStateTests {
    @Test("is read back, and is nothing where a file says what no import has written")
    func hostile() throws {
        var state = ImportState(source: .init(size: 10, modifiedAt: 1, hash: "h"), epoch: 1)
        state.offset = 5
        state.line = 2
        #expect(ImportState(json: state.json) == state)
        for name in ["size", "offset", "line", "imported", "rejected", "rejected_bytes"] {
            for number in [Int64.max, .min, -1, 1 << 54] {
                var json = try #require(state.json.object)
                json[name] = .integer(number)
                #expect(ImportState(json: .object(json)) == nil, "\(name) \(number)")
            }
        }
    }
}
