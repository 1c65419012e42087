import CardModel
import Testing

@testable import CardServer

@Suite("Token buckets")
struct TokenBucketTests {
    private static let rate = DeviceLimits.Rate(burst: 5, perSecond: 2)

    private func key(_ text: String) -> BucketKey { BucketKey(.user, text) }

    @Test("A bucket gives its burst at once and then as much as flows back")
    func burst() {
        let buckets = TokenBuckets()
        for _ in 0..<5 { #expect(buckets.take(key("ann"), Self.rate, at: 1_000) == nil) }
        #expect(buckets.take(key("ann"), Self.rate, at: 1_000).map { abs($0 - 0.5) < 1e-6 } == true)
        // A refusal costs nothing: half a second later there is one.
        #expect(buckets.take(key("ann"), Self.rate, at: 1_000.5) == nil)
        #expect(buckets.take(key("ann"), Self.rate, at: 1_000.5) != nil)
        #expect(buckets.take(key("bob"), Self.rate, at: 1_000.5) == nil)
        for _ in 0..<5 { #expect(buckets.take(key("ann"), Self.rate, at: 1_010) == nil) }
        #expect(buckets.take(key("ann"), Self.rate, at: 1_010) != nil)
    }

    @Test("Several tokens are taken together or not at all, and more than there can be count as all")
    func cost() {
        let buckets = TokenBuckets()
        #expect(buckets.take(key("ann"), Self.rate, cost: 4, at: 0) == nil)
        #expect(buckets.take(key("ann"), Self.rate, cost: 2, at: 0).map { abs($0 - 0.5) < 1e-6 } == true)
        #expect(buckets.take(key("ann"), Self.rate, cost: 1, at: 0) == nil)
        #expect(buckets.take(key("bob"), Self.rate, cost: .max, at: 0) == nil)
        #expect(buckets.take(key("bob"), Self.rate, cost: 1, at: 0) != nil)
    }

    @Test("A token that was given back can be taken again")
    func givesBack() {
        let buckets = TokenBuckets()
        for _ in 0..<5 { _ = buckets.take(key("ann"), Self.rate, at: 0) }
        buckets.giveBack(key("ann"), Self.rate)
        buckets.giveBack(key("nobody"), Self.rate)
        #expect(buckets.take(key("ann"), Self.rate, at: 0) == nil)
        #expect(buckets.take(key("ann"), Self.rate, at: 0) != nil)
    }

    @Test("A clock that stands still or goes back traps nothing and gives nothing away")
    func clocks() {
        let buckets = TokenBuckets()
        for _ in 0..<5 { #expect(buckets.take(key("ann"), Self.rate, at: 1e9) == nil) }
        #expect(buckets.take(key("ann"), Self.rate, at: 0) != nil)
        #expect(buckets.take(key("ann"), Self.rate, at: .greatestFiniteMagnitude) == nil)
    }

    @Test("A bucket that is empty under one rate is full under another, faster or slower")
    func changedRate() {
        let buckets = TokenBuckets()
        let slow = DeviceLimits.Rate(burst: 60, perSecond: 1)
        let fast = DeviceLimits.Rate(burst: 1_000_000, perSecond: 1_000_000)
        for _ in 0..<60 { #expect(buckets.take(key("ann"), slow, at: 0) == nil) }
        #expect(buckets.take(key("ann"), slow, at: 0) != nil)
        for _ in 0..<1_000 { #expect(buckets.take(key("ann"), fast, at: 0) == nil) }
        #expect(buckets.take(key("ann"), Self.rate, at: 0) == nil)
        buckets.giveBack(key("ann"), slow)
        #expect(buckets.take(key("ann"), slow, at: 0) == nil)
        #expect(buckets.take(key("ann"), slow, at: 0) != nil)
    }

    @Test("A flood of new keys takes a fixed amount of memory and costs others no tokens")
    func flood() {
        let buckets = TokenBuckets(capacity: 4_096)
        for number in 0..<100_000 {
            #expect(buckets.take(key("flood-\(number)"), Self.rate, at: 0) == nil)
            if number % 1_000 == 0 { #expect(buckets.take(key("ann-\(number)"), Self.rate, at: 0) == nil) }
        }
        #expect(buckets.count <= 4_096)
        #expect(buckets.take(key("ann"), Self.rate, at: 0) == nil)
    }

    @Test("Buckets that are full again go first, so that one that is empty outlives a slow flood")
    func outlives() {
        let buckets = TokenBuckets(capacity: 4_096)
        let slow = DeviceLimits.Rate(burst: 5, perSecond: 0.001)
        for _ in 0..<5 { _ = buckets.take(key("ann"), slow, at: 0) }
        for number in 0..<9_000 { _ = buckets.take(key("flood-\(number)"), Self.rate, at: Double(number) / 10) }
        #expect(buckets.take(key("ann"), slow, at: 900) != nil)
    }

    @Test("Addresses of one /64 network are one client, and those of version 4 are each their own")
    func networks() throws {
        func client(_ text: String) throws -> ClientKey { ClientKey(try #require(IPAddress(text))) }
        #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff::9"))
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
        #expect(try client("192.0.2.1") != client("192.0.2.2"))
        #expect(try client("::ffff:192.0.2.1") == client("192.0.2.1"))
    }
}
