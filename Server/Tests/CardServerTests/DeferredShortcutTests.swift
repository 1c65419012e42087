import CardModel
import CardStore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// Syncs that are answered without a task though the store has to wait, beside those of a store that doesn't.
@Suite("The shortcut over reads that call back")
struct DeferredShortcutTests {
    /// Reads a store that doesn't wait, and says so by calling back.
    private struct BackReads: DeferredReads {
        let reads: any ImmediateReads

        func userRevision(
            of user: UserID,
            _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
        ) {
            completion(result { try reads.userRevision(of: user) })
        }

        func userState(
            of user: UserID,
            including parts: UserHistory.Parts,
            dueBy time: UnixTime,
            _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
        ) {
            completion(result { try reads.userState(of: user, including: parts, dueBy: time) })
        }

        private func result<Value>(_ body: () throws -> Value) -> Result<Value, StoreError> {
            do { return .success(try body()) } catch { return .failure(StoreError(.unavailable, "\(error)")) }
        }
    }

    /// Counts reads.
    private final class CountedReads: DeferredReads {
        private let reads: BackReads
        private let revisions = Atomic<Int>(0)
        private let states = Atomic<Int>(0)

        init(_ reads: any ImmediateReads) { self.reads = BackReads(reads: reads) }

        /// The number of reads of either kind since the last time.
        func takeCounts() -> [Int] {
            [revisions.exchange(0, ordering: .relaxed), states.exchange(0, ordering: .relaxed)]
        }

        func userRevision(
            of user: UserID,
            _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
        ) {
            revisions.add(1, ordering: .relaxed)
            reads.userRevision(of: user, completion)
        }

        func userState(
            of user: UserID,
            including parts: UserHistory.Parts,
            dueBy time: UnixTime,
            _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
        ) {
            states.add(1, ordering: .relaxed)
            reads.userState(of: user, including: parts, dueBy: time, completion)
        }
    }

    /// Reads nothing.
    private struct BrokenReads: DeferredReads {
        func userRevision(
            of user: UserID,
            _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
        ) {
            completion(.failure(StoreError(.unavailable, "broken")))
        }

        func userState(
            of user: UserID,
            including parts: UserHistory.Parts,
            dueBy time: UnixTime,
            _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
        ) {
            completion(.failure(StoreError(.unavailable, "broken")))
        }
    }

    /// The body and status of an answer, or `nil` where the application has to give it.
    private func answer(
        of sync: SyncController,
        to body: JSONValue,
        key: String
    ) throws -> (status: UInt, text: String)? {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: "/v1/sync",
            headers: ["Authorization": "Bearer \(key)", "Content-Length": "\(body.bytes.count)"]
        )
        let request = try #require(ShortcutRequest(head))
        var memory = ShortcutMemory()
        let loop = EmbeddedEventLoop()
        let reply: ShortcutReply?
        switch sync.answer(request, ByteBuffer(bytes: body.bytes), &memory, on: loop) {
        case .reply(let now): reply = now
        case .application: reply = nil
        case .later(let answer):
            // Each read goes on in a turn of its own.
            for _ in 0..<3 { loop.run() }
            reply = try answer.wait()
        }
        return reply.map { ($0.status.code, String(decoding: $0.json, as: UTF8.self)) }
    }

    private func body(_ user: String, _ more: JSONObject = [:]) -> JSONValue {
        var members: JSONObject = ["user_id": .string(user), "device_id": "phone"]
        members.merge(more) { $1 }
        return .object(members)
    }

    @Test("Every sync gets the answer that it gets of a store that doesn't wait, byte for byte, or none")
    func sameAnswers() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("one")
            let old = try await workspace.sync("ann", device: "phone").cursor
            try await workspace.launch("two")
            let new = try await workspace.sync("ann", device: "phone", cursor: old).cursor
            let reads = try #require(workspace.store.immediateReads)
            let services = try await workspace.services()
            let immediate = SyncController(services: services)
            let deferred = SyncController(services: services, reads: .deferred(BackReads(reads: reads)))
            let key = workspace.publishable
            let cases: [(name: String, body: JSONValue, isAnswered: Bool)] = [
                ("nothing new", body("ann", ["cursor": .string(new)]), true),
                ("no cursor", body("ann"), true),
                ("an older cursor", body("ann", ["cursor": .string(old)]), true),
                ("a cursor that can't be read", body("ann", ["cursor": "x"]), true),
                ("another language", body("ann", ["cursor": .string(new), "locale": "ja"]), false),
                ("a user who isn't known", body("bob"), false),
                ("a cursor of another user", body("bob", ["cursor": .string(new)]), false),
                ("an event", body("ann", ["events": [workspace.event("session_start")]]), false),
                ("no user", ["device_id": "phone"], false),
            ]
            for (name, body, isAnswered) in cases {
                let expected = try answer(of: immediate, to: body, key: key)
                let found = try answer(of: deferred, to: body, key: key)
                #expect((found != nil) == isAnswered, "\(name)")
                #expect(found?.text == expected?.text && found?.status == expected?.status, "\(name)")
            }
            #expect(try answer(of: deferred, to: body("ann"), key: "pk_wrong") == nil)
            // A user who was last heard of a while ago is noted, which is a write.
            workspace.time.advance(by: FeedUpdate.noticeInterval + 1)
            #expect(try answer(of: deferred, to: body("ann", ["cursor": .string(new)]), key: key) == nil)
        }
    }

    @Test("Whoever can't have everything is read once, and with templates by the application alone")
    func readsOnce() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("one")
            let old = try await workspace.sync("ann", device: "phone").cursor
            try await workspace.launch("two")
            let new = try await workspace.sync("ann", device: "phone", cursor: old).cursor
            let reads = CountedReads(try #require(workspace.store.immediateReads))
            let key = workspace.publishable
            let sync = SyncController(services: try await workspace.services(), reads: .deferred(reads))
            #expect(try answer(of: sync, to: body("ann", ["cursor": .string(new)]), key: key) != nil)
            #expect(reads.takeCounts() == [1, 0])
            #expect(try answer(of: sync, to: body("ann", ["cursor": .string(old)]), key: key) != nil)
            #expect(reads.takeCounts() == [0, 1])
            let card: JSONValue = ["type": "classic", "title": "Hi {{${user_id}}}", "description": "d"]
            try await workspace.launch("three", card: card)
            let rendering = SyncController(services: try await workspace.services(), reads: .deferred(reads))
            #expect(try answer(of: rendering, to: body("ann", ["cursor": .string(new)]), key: key) == nil)
            #expect(reads.takeCounts() == [0, 0])
        }
    }

    @Test("Templates are left to the application, and a sync with nothing new isn't")
    func templates() async throws {
        try await Workspace.run { workspace in
            let card: JSONValue = ["type": "classic", "title": "Hi {{${user_id}}}", "description": "d"]
            try await workspace.launch("one", card: card)
            // The second one has nothing left to decide.
            let first = try await workspace.sync("ann", device: "phone").cursor
            let cursor = try await workspace.sync("ann", device: "phone", cursor: first).cursor
            let reads = try #require(workspace.store.immediateReads)
            let services = try await workspace.services()
            let sync = SyncController(services: services, reads: .deferred(BackReads(reads: reads)))
            let key = workspace.publishable
            #expect(try answer(of: sync, to: body("ann", ["cursor": .string(cursor)]), key: key)?.status == 200)
            #expect(try answer(of: sync, to: body("ann"), key: key) == nil)
        }
    }

    @Test("A sync that the application answers after all is taken from the limits once")
    func limits() async throws {
        var limits = DeviceLimits.unlimited
        limits.requestsPerUser = .init(burst: 2, perSecond: 0.001)
        try await Workspace.run(limits: limits) { workspace in
            let services = try await workspace.services()
            let reads = try #require(workspace.store.immediateReads)
            let broken = SyncController(services: services, reads: .deferred(BrokenReads()))
            let key = workspace.publishable
            for _ in 0..<5 { #expect(try answer(of: broken, to: body("ann"), key: key) == nil) }
            _ = try await workspace.sync("ann", device: "phone")
            let working = SyncController(services: services, reads: .deferred(BackReads(reads: reads)))
            let statuses = try (0..<3).map { _ in try answer(of: working, to: body("ann"), key: key)?.status }
            #expect(statuses == [200, 200, 429])
        }
    }
}
