import Foundation
import Testing

@testable import ContentCardsUI

@Suite("Decisions about images")
struct ImageDecisionTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func plan(_ width: Double, _ height: Double, frames: Int = 1, in target: Int = 1_140) -> DecodingPlan? {
        DecodingPlan(size: CGSize(width: width, height: height), frames: frames, width: target)
    }

    @Test("decode no larger than an image is shown, never larger than its file, and nothing that can't be meant")
    func size() {
        #expect(plan(4_000, 3_000)?.longestSide == 1_140)
        #expect(plan(3_000, 4_000)?.longestSide == 1_520)
        #expect(plan(400, 300)?.longestSide == 400)
        #expect(plan(400, 300, in: 100)?.longestSide == 100)
        #expect(plan(10, 50_000)?.longestSide == 4_096)
        #expect(plan(50_000, 1, in: 10)?.longestSide == 10)
        let wrong: [(Double, Double)] = [(0, 10), (10, 0), (-1, 10), (20_000, 20_000), (.infinity, 1), (.nan, 1)]
        for (width, height) in wrong {
            #expect(plan(width, height) == nil)
        }
        #expect(plan(10, 10, frames: 0) == nil)
    }

    @Test("bound the memory of an animation: a long one is smaller, one that would be tiny is a still image")
    func animation() throws {
        let short = try #require(plan(200, 100, frames: 10))
        #expect(short == plan(200, 100, frames: 10, in: 400))
        #expect(short.frames == 10 && short.longestSide == 200)
        let long = try #require(plan(1_000, 1_000, frames: 20))
        #expect(long.frames == 20)
        #expect(Double(long.longestSide * long.longestSide * 4 * 20) <= DecodingPlan.animationLimit * 1.01)
        #expect(long.longestSide > 500)
        #expect(plan(1_000, 1_000, frames: 300)?.frames == 1)
        #expect(plan(1_000, 1_000, frames: 300)?.longestSide == 1_000)
        #expect(plan(1, 1, frames: .max)?.frames == 1)
        // Each frame is decoded as a whole, which takes its time, too.
        #expect(plan(5_000, 5_000, frames: 20, in: 100)?.frames == 20)
        #expect(plan(5_000, 5_000, frames: 21, in: 100)?.frames == 1)
    }

    @Test("show each frame of an animation for its own time")
    func timing() {
        #expect(AnimationTiming(delays: [0.1, 0.3, 0.2]).steps == [1, 3, 2])
        #expect(abs(AnimationTiming(delays: [0.1, 0.3, 0.2]).duration - 0.6) < 0.001)
        #expect(AnimationTiming(delays: [nil, 0, .nan, -1]).steps == [1, 1, 1, 1])
        #expect(abs(AnimationTiming(delays: [nil, 0]).duration - 0.2) < 0.001)
        #expect(AnimationTiming(delays: [59.99, 60, 1e300]).steps == [1, 1, 1])
        #expect(AnimationTiming(delays: []).steps.isEmpty)
    }

    @Test(
        "believe the headers of a cache, and no more of them than can be meant",
        arguments: [
            ("max-age=60", nil, 60), ("public, MAX-AGE=60 , immutable", nil, 60), ("max-age=\"60\"", nil, 60),
            ("max-age=60", "50", 10), ("max-age=60", "99999999999999999999", 0), ("max-age=-1", nil, 0),
            ("max-age=1e300", nil, 0), ("max-age=99999999999999999999", nil, ImageFreshness.longest),
            ("no-cache, max-age=60", nil, 0), ("x\u{600},no-cache,max-age=60", nil, 0),
            ("", nil, ImageFreshness.usual), (nil, nil, ImageFreshness.usual),
        ] as [(String?, String?, TimeInterval)]
    )
    func freshness(control: String?, age: String?, lifetime: TimeInterval) {
        var headers: [String: String] = [:]
        headers["cache-control"] = control
        headers["age"] = age
        let freshness = ImageFreshness(headers: headers, at: now)
        #expect(abs(freshness.expires.timeIntervalSince(now) - lifetime) < 0.001)
        #expect(freshness.isGood(at: now) == (lifetime > 0))
        #expect(!freshness.isGood(at: now - 2 * ImageFreshness.longest))
    }

    @Test("send back a validator as it came, the tag before the date, and none that would break a request")
    func validators() {
        func conditions(_ headers: [String: String]) -> [String: String] {
            ImageFreshness(headers: headers, at: now).conditions
        }
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        #expect(conditions(["etag": "W/\"1\"", "last-modified": date]) == ["If-None-Match": "W/\"1\""])
        #expect(conditions(["last-modified": date]) == ["If-Modified-Since": date])
        #expect(conditions(["etag": "a\r\nb", "last-modified": String(repeating: "x", count: 300)]).isEmpty)
        #expect(!ImageFreshness(headers: ["cache-control": "No-Store"], at: now).isStorable)
    }
}
