import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A container that an app shares with its extensions", .timeLimit(.minutes(20)))
struct SharedContainerTests {
    let bed = TestBed()
    private var group: URL { bed.directory.appendingPathComponent("Shared/AppGroup/4F/Library", isDirectory: true) }
    private var own: URL { bed.directory.appendingPathComponent("own", isDirectory: true) }

    private func store(_ bundle: String, _ reports: Collected<Diagnostic> = Collected()) -> ClientStore {
        ClientStore(
            directory: group,
            endpoint: TestBed.endpoint,
            key: "pk",
            bundle: bundle,
            locks: own.appendingPathComponent(bundle)
        ) { reports.add($0) }
    }

    @Test(
        "is known by its path",
        arguments: [
            ("/private/var/mobile/Containers/Shared/AppGroup/4F/x", true),
            ("/Users/me/Library/Group Containers/group.shop", true),
            ("/private/var/mobile/Containers/Data/Application/4F/Library", false),
            ("/home/me/AppGroup/Shared", false),
        ]
    )
    func paths(path: String, isShared: Bool) {
        #expect(StorePlace.isShared(URL(fileURLWithPath: path)) == isShared)
    }

    @Test("has no lock in it, which iOS would end a suspended app for; app and extension have files of their own")
    func locks() {
        let (app, widget) = (store("app"), store("app.widget"))
        for store in [app, widget] { store.save(CurrentFeed.state, user: "a") }
        #expect(bed.files(named: "feed").count == 2)
        let inside = bed.files(named: "").filter { $0.path.contains("/AppGroup/") }
        #expect(inside.allSatisfy { $0.lastPathComponent != "lock" && !$0.path.contains("/locks/") })
        #expect(bed.files(named: "locks").count == 2)
        // And two clients of one app still never share files
        let reports = Collected<Diagnostic>()
        let second = store("app", reports)
        #expect(reports.all.count == 1)
        second.save(CurrentFeed.state, user: "b")
        #expect(bed.files(named: "feed").count == 2)
        for store in [app, widget, second] { store.release() }
    }

    @Test("holds a snapshot of the feed that follows syncs, dismissals, users, disabling and wiping, without a lock")
    func snapshot() async throws {
        let shared = bed.directory.appendingPathComponent("group", isDirectory: true)
        let expiry = bed.clock.now + 100
        let reply = [ContentCard.fixture("a"), .fixture("b") { $0.expiresAt = expiry }]
        bed.serve(reply)
        let client = bed.launch { $0.snapshotDirectory = shared }
        func read(after seconds: TimeInterval = 0) -> CardFeed? {
            CardFeed.snapshot(in: shared, at: bed.clock.now + seconds)
        }
        #expect(read() == nil)
        await client.identify("a")
        #expect(read()?.userID == "a")
        try await client.refresh()
        #expect(read()?.cards.map(\.id).sorted() == ["a", "b"])
        #expect(read(after: 200)?.cards.map(\.id) == ["a"])
        #expect(
            bed.files(named: "").filter { $0.path.contains("/group/") }.map(\.lastPathComponent).sorted()
                == ["ContentCards", "snapshot"]
        )
        client.logDismissal(cardID: "a")
        await client.endSession()
        #expect(read()?.cards.map(\.id) == ["b"])
        await client.identify("other")
        #expect(read()?.userID == "other")
        await client.disable()
        #expect(read() == nil)
        await client.enable()
        #expect(read()?.userID == "other")
        await client.wipe()
        #expect(read() == nil)
        await client.close()
    }

    @Test("is read as nothing when its snapshot is damaged")
    func damaged() async throws {
        let file = FeedSnapshotFile(directory: bed.directory)
        try file.write((user: "a", feed: CurrentFeed.state))
        #expect(file.read(at: bed.clock.now)?.count == 1)
        let path = try #require(bed.files(named: "snapshot").first)
        var bytes = try Data(contentsOf: path)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: path)
        #expect(file.read(at: bed.clock.now) == nil)
        try file.write(nil)
        #expect(bed.files(named: "snapshot").isEmpty)
        try file.write(nil)
    }

    @Test("that an app has no right to is reported")
    func noContainer() async {
        let reports = Collected<Diagnostic>()
        let client = bed.launch {
            $0.appGroupIdentifier = "group.nobody"
            $0.log = { reports.add($0) }
        }
        await client.identify("a")
        // It is said in the background: the suite's time limit ends the wait where it never is.
        while !reports.all.contains(where: { if case .storageUnavailable = $0 { true } else { false } }) {
            await Task.yield()
        }
        await client.close()
        #expect(CardFeed.snapshot(appGroupIdentifier: "group.nobody") == nil)
    }
}

private enum CurrentFeed {
    static var state: FeedState {
        var state = FeedState()
        let date = Date(timeIntervalSince1970: 1_790_000_000)
        state.merge(SyncReply(cursor: "1", replaces: true, cards: [.fixture("a")]), at: date)
        return state
    }
}
