import Testing
import WireJSON

@testable import CardModel

@Suite("Everything that is wrong is named")
struct PartReaderTests {
    @Test("Of forty thousand unknown fields a hundred are named")
    func bound() throws {
        let members = (0..<40_000).map { "\"n\($0)\":1" }.joined(separator: ",")
        let json = try JSONValue(parsing: "{\(members)}")
        let campaign = #expect(throws: ModelErrors.self) { try Campaign.Content.read(json) }
        #expect(campaign?.all.count == PartReader.limit)
        let settings = #expect(throws: ModelErrors.self) { try Settings.read(json) }
        #expect(settings?.all.count == PartReader.limit)
        #expect(settings?.first.code == .fieldUnknown)
    }
}
