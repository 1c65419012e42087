import CardModel
import CardStore
import CardStoreConformance
import Testing
import WireJSON

@testable import PostgresCardStore

/// The log is locked last, so events of a group aren't in it yet when a later job changes whose they are.
@Suite("PostgreSQL: events whose user changes in the group that records them", .timeLimit(.minutes(20)))
struct EarlierEventTests {
    private static let guest = UserID(rawValue: "anonymous-guest")
    private static let other = UserID(rawValue: "other")

    /// Records an event of the guest, does something, and records events of another user before and after that.
    private func withEvents(
        _ body: @Sendable @escaping (PostgresCardStore) async throws -> Void,
        then check: (PostgresCardStore) async throws -> Void
    ) async throws {
        try await withStore { store in
            try await store.updateUsers([Self.guest, Self.other].map { UserUpdate(id: $0) }, at: noon)
            try await store.asOneGroup(4) { place in
                switch place {
                case 0: try await store.record([DeviceEvent(1, .custom(name: "open"))], of: Self.guest)
                case 2: try await body(store)
                default: try await store.record([DeviceEvent(UInt64(place), .custom(name: "open"))], of: Self.other)
                }
            }
            try await check(store)
            #expect(try await store.userEvents(of: Self.other, limit: 9).count == 2)
        }
    }

    @Test func `An event that came just before its user was merged is that of the identity`() async throws {
        try await withEvents { store in
            let merge = Identification(user: .id(Self.guest), identity: someone)
            let outcomes = try await store.identifyUsers([merge], at: noon)
            #expect(outcomes == [.done])
        } then: { store in
            #expect(try await store.userEvents(of: someone, limit: 9).count == 1)
            let state = try #require(try await store.userState(of: someone, including: .all))
            #expect(state.history.events[ByteString("open")]?.count == 1)
        }
    }

    @Test func `An event that came just before its user was deleted goes with them`() async throws {
        try await withEvents { store in
            let isDeleted = try await store.deleteUser(Self.guest, at: noon, by: command)
            #expect(isDeleted)
        } then: { store in
            let revision = try await store.userRevision(of: Self.guest)
            #expect(revision == nil)
            #expect(try await store.userEvents(of: Self.guest, limit: 9).isEmpty)
            #expect(try await store.userCount() == 1)
        }
    }
}
