import Testing

@testable import ContentCards

@Suite("The pace of live signals")
struct LivePaceTests {
    @Test("follows five live signals at once and then one every two seconds, and the last one surely")
    func liveFlood() {
        var table = SyncTable()
        var syncs = 0
        // Signals without end, also while a sync is under way, for 20 seconds.
        for _ in 0..<200 {
            var sent = table.want(.live).sent.count + table.take(.wake).sent.count
            while sent > 0 {
                syncs += sent
                _ = table.want(.live)
                sent = table.answer(.success(nil)).sent.count
            }
            table.pass(0.1)
        }
        #expect((14...16).contains(syncs), "\(syncs)")

        // One that came too early is followed when its time has come, and no more after it.
        table.pass(2)
        #expect(table.take(.wake).sent.count == 1)
        #expect(table.answer(.success(nil)).sent.isEmpty)
        table.pass(60)
        #expect(table.take(.wake).sent.isEmpty)
        for _ in 0..<5 {
            #expect(table.want(.live).sent.count == 1)
            _ = table.answer(.success(nil))
        }
        #expect(table.want(.live).contains(.wake(at: table.uptime + 2)))
    }
}
