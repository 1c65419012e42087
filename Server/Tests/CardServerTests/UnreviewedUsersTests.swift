import CardModel
import CardStore
import Foundation
import SQLiteCardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Users whose live streams couldn't be reviewed", .timeLimit(.minutes(5)))
struct UnreviewedUsersTests {
    private let ann = UserID(rawValue: "ann")

    @Test("They are looked for again after 1, 2, 4, 8 and 16 seconds, and then given up")
    func attempts() {
        var users = UnreviewedUsers()
        var now = 100.0
        for pause in [1.0, 2, 4, 8, 16] {
            users.note(ann)
            let planned = users.take(at: now)
            #expect(planned.due.isEmpty && planned.over.isEmpty)
            let early = users.take(at: now + pause - 0.5)
            #expect(early.due.isEmpty && early.over.isEmpty)
            now += pause
            let found = users.take(at: now)
            #expect(found.due == [ann] && found.over.isEmpty)
        }
        users.note(ann)
        let last = users.take(at: now)
        #expect(last.due.isEmpty && last.over == [ann])
        let none = users.take(at: now + 1_000)
        #expect(none.due.isEmpty && none.over.isEmpty)
    }

    @Test("One who was found is looked for no more")
    func found() {
        var users = UnreviewedUsers()
        users.note(ann)
        _ = users.take(at: 0)
        users.forget(ann)
        let none = users.take(at: 1_000)
        #expect(none.due.isEmpty && none.over.isEmpty)
    }

    @Test("One who wasn't looked for because of others is looked for after a second, which counts as no failure")
    func postponed() {
        var users = UnreviewedUsers()
        var now = 0.0
        for _ in 0...UnreviewedUsers.attempts {
            users.postpone(ann)
            let planned = users.take(at: now)
            #expect(planned.due.isEmpty && planned.over.isEmpty)
            now += UnreviewedUsers.pause
            let found = users.take(at: now)
            #expect(found.due == [ann] && found.over.isEmpty)
        }
    }

    private struct Away: Error {}

    @Test("A store that is away is asked for a few users, and the streams of all end when it stays away")
    func away() async throws {
        let hub = LiveHub()
        let users = (0..<100).map { UserID(rawValue: "\($0)") }
        for user in users { _ = try hub.open(for: user, device: nil, grant: LiveGrant(userCreatedAt: 5)) }
        let asked = Mutex<Int>.Box(0)
        for _ in 0...UnreviewedUsers.attempts {
            await #expect(throws: Away.self) {
                try await hub.review(users) { _ in
                    asked.withLock { $0 += 1 }
                    throw Away()
                }
            }
        }
        let count = asked.withLock { $0 }
        #expect(count == ReviewPass.failureLimit * (UnreviewedUsers.attempts + 1) && hub.count == 100)
        let store = try await closedStore()
        try await hub.reviewAgain(by: store, at: 0)
        #expect(hub.count == 0)
    }

    @Test("Users that the store couldn't look up after an error are looked up later")
    func partlyAway() async throws {
        let hub = LiveHub()
        let users = (0..<30).map { UserID(rawValue: "\($0)") }
        for user in users { _ = try hub.open(for: user, device: nil, grant: LiveGrant(userCreatedAt: 5)) }
        for _ in 0...UnreviewedUsers.attempts {
            await #expect(throws: Away.self) {
                try await hub.review(users) { user in
                    // The first is gone, others can't be found.
                    guard user == users[0] else { throw Away() }
                    return nil
                }
            }
            _ = try hub.open(for: users[0], device: nil, grant: LiveGrant(userCreatedAt: 5))
        }
        let store = try await closedStore()
        try await hub.reviewAgain(by: store, at: 0)
        // Users that the store has failed for each time.
        #expect(hub.count == 30 - ReviewPass.failureLimit)
    }

    @Test("A stream whose user can't be looked for ends after the last attempt, and not before")
    func ends() async throws {
        let store = try await closedStore()
        let hub = LiveHub()
        let stream = try hub.open(for: ann, device: nil, grant: LiveGrant(userCreatedAt: 5))
        await #expect(throws: (any Error).self) { try await hub.review(by: store) }
        var now = 0.0
        for _ in 1...UnreviewedUsers.attempts {
            try await hub.reviewAgain(by: store, at: now)
            now += 1_000
            let due = now
            await #expect(throws: (any Error).self) { try await hub.reviewAgain(by: store, at: due) }
            #expect(hub.count == 1)
        }
        try await hub.reviewAgain(by: store, at: now)
        #expect(hub.count == 0)
        stream.end()
    }

    /// A store of which nothing can be read.
    private func closedStore() async throws -> SQLiteCardStore {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteCardStore(path: folder.appending(path: "placard.sqlite").path)
        try await store.close()
        return store
    }
}
