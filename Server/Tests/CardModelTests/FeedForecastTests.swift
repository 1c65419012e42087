import CardModel
import Testing

@Suite("What a sync would leave a user with")
struct FeedForecastTests {
    @Test("Cards that put their user into the audience of another come at once, however long the chain")
    func chain() throws {
        let campaigns = try (0..<100).map { number in
            let before = CampaignID(rawValue: "c\(number - 1)")
            let audience: Audience = number == 0 ? .everyone : .contact(ContactClause(.received, before))
            return try Sample.launched("c\(number)", audience: audience)
        }
        let catalog = Catalog(campaigns: campaigns, generation: 1)
        let forecast = FeedForecast(for: Sample.user(), in: catalog, at: 10)
        #expect(forecast.last.isEmpty && forecast.given.count == 100)
    }
}
