import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import SQLiteCardStore

@Suite("The latest times of a history, as a column keeps them")
struct RecentTimesTests {
    @Test(
        "are read back to the millisecond, and are the nearest that fit where no clock shows them",
        arguments: [
            ([1_800_000_000.123, 1_800_000_001], [1_800_000_000.123, 1_800_000_001]),
            ([-62_135_596_800, 253_402_300_799], [-62_135_596_800, 253_402_300_799]),
            ([-1e300, 0], [Double(Int64.min) / 1000, 0]), ([.nan], [0]),
            ([-.infinity, .infinity], [Double(Int64.min) / 1000, Double(Int64.max) / 1000]),
        ] as [([UnixTime], [UnixTime])]
    )
    func times(written: [UnixTime], read: [UnixTime]) throws {
        let bytes = RecentTimes.encode(written, amounts: nil)
        let found = try #require(bytes.withUnsafeBytes { RecentTimes.decode($0, hasAmounts: false) })
        #expect(found.times == read)
    }
}
