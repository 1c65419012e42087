import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A snapshot for widgets", .timeLimit(.minutes(20)))
struct SnapshotFileTests {
    let bed = TestBed()
    private var file: FeedSnapshotFile { FeedSnapshotFile(directory: bed.directory) }
    private var path: URL { bed.directory.appendingPathComponent("ContentCards/snapshot") }

    private func state(_ cards: [ContentCard]) -> FeedState {
        FeedState(
            cards: cards,
            cursor: "secret cursor",
            lastSync: bed.clock.now,
            dismissals: ["secret id"],
            reported: ["secret report": 7]
        )
    }

    private func write(_ cards: [ContentCard], user: String = "a") throws {
        try file.write((user: user, feed: state(cards)))
    }

    @Test("holds nothing that a widget doesn't show: no dismissed cards, no cursor, nothing of the app's own notes")
    func contents() throws {
        try write([.fixture("shown"), .fixture("gone") { ($0.title, $0.isDismissed) = ("secret title", true) }])
        let bytes = try Data(contentsOf: path)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("Title of shown") && !text.contains("secret"))
        let feed = try #require(file.read(at: bed.clock.now))
        #expect(feed.cards.map(\.id) == ["shown"] && feed.userID == "a" && feed.lastSync == bed.clock.now)
    }

    @Test("shows a card until the second in which it expires, and says when that is")
    func expiry() throws {
        let now = bed.clock.now
        try write([.fixture("a") { $0.expiresAt = now + 10 }, .fixture("b") { $0.expiresAt = now + 20 }, .fixture("c")])
        let ages: [(TimeInterval, [String], TimeInterval?)] = [
            (-1_000, ["a", "b", "c"], 10), (0, ["a", "b", "c"], 10), (9.999, ["a", "b", "c"], 10),
            (10, ["b", "c"], 20), (19.999, ["b", "c"], 20), (20, ["c"], nil), (1e9, ["c"], nil),
        ]
        for (age, ids, next) in ages {
            let feed = try #require(file.read(at: now + age))
            #expect(feed.cards.map(\.id) == ids && feed.nextExpiry == next.map { now + $0 }, "\(age)")
        }
    }

    @Test("has the order of the feed, also where a file says another one, and is read of each version of the SDK")
    func order() throws {
        let cards: [ContentCard] = [
            .fixture("old") { $0.createdAt = Date(timeIntervalSince1970: 1) }, .fixture("new"),
            .fixture("important") { $0.priority = 1 }, .fixture("pinned") { $0.isPinned = true },
            .fixture("control") { ($0.kind, $0.priority) = (.control, -1) },
        ]
        try write(cards)
        let expected = ["pinned", "important", "new", "old", "control"]
        #expect(file.read(at: bed.clock.now)?.cards.map(\.id) == expected)
        var cached = CachedFeed(user: "a", state: state(cards))
        cached.cards.reverse()
        for version in ["0.1", "", "99.0"] {
            cached.version = version
            try Envelope.seal(cached.bytes).write(to: path)
            let feed = try #require(file.read(at: bed.clock.now))
            #expect(feed.cards.map(\.id) == expected && feed.unviewedCount == 4)
        }
    }

    @Test("is nothing where it was cut off, or a byte of it is another one")
    func damage() throws {
        try write([.fixture("a") { $0.extras = ["k": "v"] }])
        let whole = try Data(contentsOf: path)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: path)
            #expect(file.read(at: bed.clock.now) == nil, "\(count)")
            var changed = whole
            changed[count] ^= 0x10
            try changed.write(to: path)
            #expect(file.read(at: bed.clock.now) == nil, "\(count)")
        }
        try (whole + Data([0])).write(to: path)
        #expect(file.read(at: bed.clock.now) == nil)
        try whole.write(to: path)
        #expect(file.read(at: bed.clock.now)?.count == 1)
    }

    @Test("of another file's kind is nothing, and one is written in its place")
    func otherKinds() throws {
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        #expect(file.read(at: bed.clock.now) == nil)
        try file.write(nil)
        #expect(!FileManager.default.fileExists(atPath: path.path))
        try write([.fixture("a")])
        #expect(file.read(at: bed.clock.now)?.count == 1)
        // A record of the device is sealed in the same way, and is no feed.
        let device = try JSONEncoder().encode(DeviceRecord(deviceID: "d"))
        try Envelope.seal(device).write(to: path)
        #expect(file.read(at: bed.clock.now) == nil)
    }

    @Test("that can't be written is reported, and the app's feed goes on")
    func unwritable() async throws {
        let container = bed.directory.appendingPathComponent("container")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        try Data().write(to: container.appendingPathComponent("ContentCards"))
        bed.serve([.fixture("a")])
        let reports = Collected<Diagnostic>()
        let client = bed.launch {
            $0.snapshotDirectory = container
            $0.log = { reports.add($0) }
        }
        await client.identify("a")
        #expect(await client.updates.first { $0.lastSync != nil && $0.count == 1 } != nil)
        #expect(reports.all.contains(.storageUnavailable(reason: "the snapshot for widgets could not be written")))
        #expect(CardFeed.snapshot(in: container, at: bed.clock.now) == nil)
        await client.close()
    }

    @Test("goes with its user: the next one's app has no card of theirs in it, also offline")
    func users() async throws {
        bed.serve([.fixture("private")])
        let client = bed.launch { [bed] in $0.snapshotDirectory = bed.directory }
        await client.identify("a")
        try await client.refresh()
        #expect(file.read(at: bed.clock.now)?.cards.map(\.id) == ["private"])
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("scripted") }
        await client.identify("b")
        #expect(file.read(at: bed.clock.now)?.userID == "b" && file.read(at: bed.clock.now)?.count == 0)
        await client.identify("a")
        #expect(file.read(at: bed.clock.now)?.cards.map(\.id) == ["private"])
        await client.close()
    }
}
