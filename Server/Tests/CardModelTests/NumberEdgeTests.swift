import CardModel
import Testing

@Suite("Numbers at the edges")
struct NumberEdgeTests {
    @Test(
        "that do not fit are the nearest that do",
        arguments: [
            (1.9, 1), (-1.9, -1), (1e300, Int64.max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0),
            (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
        ]
    )
    func saturating(value: Double, whole: Int64) {
        #expect(Int64(saturating: value) == whole)
        #expect(UInt8(saturating: value) == UInt8(clamping: whole))
    }

    @Test("leave a window of requests open or closed, whatever the clock shows", arguments: [1e300, -1e300, .infinity])
    func window(time: Double) {
        var window = RateWindow(startingAt: time)
        let limit = RateLimit(requests: 1, seconds: 60)
        #expect(window.take(limit, at: time).remaining == 0)
        let verdict = window.take(limit, at: 1_800_000_000)
        #expect((0...1).contains(verdict.remaining) && verdict.limit == 1)
    }

    @Test("leave none of a window's requests where the limit is below 0")
    func limit() {
        var window = RateWindow(startingAt: 1_800_000_000)
        _ = window.take(RateLimit(requests: 1, seconds: 60), at: 1_800_000_000)
        let verdict = window.take(RateLimit(requests: .min, seconds: 60), at: 1_800_000_001)
        #expect(!verdict.isAllowed && verdict.remaining == 0)
    }

    @Test("of a sample give bounds that are the right way round, also where they make no sense")
    func reach() {
        for (found, asked, total) in [(0, 0, 0), (1, 1, 1), (5, 3, 2), (0, 9, Int64.max / 4), (9, 9, Int64.max / 4)] {
            let reach = AudienceReach(found: Int64(found), asked: Int64(asked), total: Int64(total), isExact: false)
            #expect(reach.bounds.lowerBound <= reach.bounds.upperBound)
            #expect(reach.users >= 0)
        }
    }
}
