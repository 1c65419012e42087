import CardModel
import CardStore
import Testing

@testable import PostgresCardStore
@testable import ShardedCardStore

@Suite("Sharded: sums of what was counted")
struct CampaignTallyTests {
    private let variant = VariantID(rawValue: "a")

    private func day(_ number: Int32) -> CountingDay {
        CountingDay(utc: Day(number: number), local: Day(number: number))
    }

    private func row(_ day: Int32, _ variant: String, _ clicks: Int64) -> CampaignReport.Row {
        var counts = CampaignCounts()
        counts.clicks = clicks
        return CampaignReport.Row(variant: VariantID(rawValue: variant), day: self.day(day), counts: counts)
    }

    @Test("Rows are added up by day and variant, in that order")
    func rows() {
        var (one, other) = (CampaignTally(), CampaignTally())
        one.rows = [row(1, "b", 1), row(2, "a", 2)]
        other.rows = [row(-1, "a", 5), row(1, "a", 3), row(1, "b", 4)]
        let sum = CampaignTally(sumOf: [one, other])
        #expect(sum.rows == [row(-1, "a", 5), row(1, "a", 3), row(1, "b", 5), row(2, "a", 2)])
        #expect(CampaignTally(sumOf: [one]) == one)
        #expect(CampaignTally(sumOf: []) == CampaignTally())
    }

    @Test("Amounts are added up exactly, and those of no purchase in the end are left out")
    func amounts() throws {
        func tally(_ rows: [(currency: String, purchases: Int64, amount: String)]) throws -> CampaignTally {
            var tally = CampaignTally()
            tally.amounts = try rows.map { row in
                CampaignReport.AmountRow(
                    variant: variant,
                    day: day(0),
                    conversion: "buy",
                    currency: row.currency,
                    counts: AmountCounts(purchases: row.purchases, amount: try #require(Amount(exactly: row.amount)))
                )
            }
            return tally
        }
        let one = try tally([("EUR", 1, "0.1"), ("JPY", 1, "12345678901234567890.5"), ("USD", 1, "3")])
        let other = try tally([("EUR", 1, "0.2"), ("JPY", 0, "0.5"), ("USD", -1, "-3")])
        let sum = CampaignTally(sumOf: [one, other]).amounts
        #expect(sum.map(\.currency) == ["EUR", "JPY"])
        #expect(sum.map(\.counts.amount.description) == ["0.3", "12345678901234567891"])
        #expect(sum.map(\.counts.purchases) == [2, 1])
    }

    @Test("Problems are in the order of how often they are, with the newest message")
    func problems() {
        typealias Problem = CampaignReport.DecodingErrorCount
        func problem(_ field: String?, _ message: String, _ count: Int64, _ time: Double) -> Problem {
            Problem(
                variant: variant,
                classType: "coupon",
                field: field,
                message: message,
                count: count,
                lastAt: time
            )
        }
        var (one, other) = (CampaignTally(), CampaignTally())
        one.problems = [problem("price", "old", 3, 1), problem(nil, "none", 2, 1)]
        other.problems = [problem("code", "code", 4, 1), problem("price", "new", 1, 2)]
        let sum = CampaignTally(sumOf: [one, other]).problems
        #expect(sum == [problem("code", "code", 4, 1), problem("price", "new", 4, 2), problem(nil, "none", 2, 1)])
    }

    @Test("Conversions that come to nothing in the end are left out")
    func conversions() {
        func tally(_ conversions: Int64) -> CampaignTally {
            var tally = CampaignTally()
            var counts = ConversionCounts()
            counts.conversions = conversions
            tally.conversions = [
                CampaignReport.ConversionRow(variant: variant, day: day(0), conversion: "buy", counts: counts)
            ]
            return tally
        }
        #expect(CampaignTally(sumOf: [tally(1), tally(-1)]).conversions.isEmpty)
        #expect(CampaignTally(sumOf: [tally(1), tally(2)]).conversions == tally(3).conversions)
    }

    @Test("Texts are told apart by their bytes")
    func bytes() {
        func tally(_ reason: String) -> CampaignTally {
            var tally = CampaignTally()
            tally.withheld = [
                WithheldCount(variant: variant, day: day(0), kind: .failed, reason: reason, users: 1)
            ]
            return tally
        }
        #expect(CampaignTally(sumOf: [tally("\u{E9}"), tally("e\u{301}")]).withheld.count == 2)
        #expect(CampaignTally(sumOf: [tally("\u{E9}"), tally("\u{E9}")]).withheld.map(\.users) == [2])
    }

    @Test("What databases did is added up, and what keeps them from work is named")
    func health() {
        var (one, other) = (StoreTraffic(), StoreTraffic())
        (one.connections, one.roundTrips, one.retries) = (8, [.read: 5], [.deadlock: 1])
        (other.connections, other.roundTrips) = (8, [.read: 1, .write: 2])
        (one.partitionFailures, other.partitionFailures) = (1, 2)
        let sum = StoreTraffic(sumOf: [one, other])
        #expect(sum.partitionFailures == 3)
        #expect(sum.connections == 16 && sum.roundTrips == [.read: 6, .write: 2] && sum.retries == [.deadlock: 1])

        let failed = HealthCheck("shard 2", failure: StoreError(.unavailable, "Shard 2: It is away."), seconds: 3)
        let check = HealthCheck(summingUp: [HealthCheck("shard 1", seconds: 1), failed])
        #expect(check.detail == "Shard 2: It is away." && check.failure == nil && check.seconds == 3)
        #expect(HealthCheck(summingUp: [HealthCheck("shard 1")]).detail == "all answer")
    }

    @Test("What the logs of two databases have of a user is added up")
    func activity() {
        func record(_ activities: [UserRecord.Activity]) -> UserRecord {
            UserRecord(profile: UserProfile(id: UserID(rawValue: "u"), createdAt: 0), events: activities)
        }
        var sum = UserActivity(of: record([.init(name: "b", first: 5, last: 9, count: 2)]))
        sum.add(
            UserActivity(
                of: record([
                    .init(name: "a", first: 1, last: 1, count: 1), .init(name: "b", first: 2, last: 6, count: .max),
                ])
            )
        )
        var total = record([])
        sum.save(in: &total)
        #expect(
            total.events == [
                .init(name: "a", first: 1, last: 1, count: 1), .init(name: "b", first: 2, last: 9, count: .max),
            ]
        )
    }
}
