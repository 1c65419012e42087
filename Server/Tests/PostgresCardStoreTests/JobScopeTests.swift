import CardModel
import CardStore
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: on what a job depends where users are spread", .timeLimit(.minutes(20)))
struct JobScopeTests {
    private static let role = ShardRole(id: 2) { 7 }
    private static let scopes: [JobScope] = [.named, .others, .departing, .nobody, .placement]

    @Test("In a single database a job depends on nothing, and only what changes its users is alone")
    func single() {
        for isNaming in [true, false] {
            let fences = Self.scopes.map { $0.fence(nil, isNaming: isNaming) }
            #expect(fences == [.always, .always, .always, .always, .exclusive])
        }
    }

    @Test("A job that names users, or is about others, is done where they are still")
    func spread() {
        let naming = Self.scopes.map { $0.fence(Self.role, isNaming: true) }
        #expect(
            naming == [.staying(placement: 7), .staying(placement: 7), .placed(placement: 7), .always, .exclusive]
        )
        let others = Self.scopes.map { $0.fence(Self.role, isNaming: false) }
        #expect(others == [.always, .staying(placement: 7), .placed(placement: 7), .always, .exclusive])
    }

    @Test("The placement by which a caller has chosen the database comes before what the node knows by now")
    func chosen() {
        func fence(_ shard: Int64, _ placement: Int64) -> JobFence {
            ShardRouting.$current.withValue(ShardRouting(shard: shard, placement: placement)) {
                JobScope.named.fence(Self.role, isNaming: true)
            }
        }
        #expect(fence(2, 3) == .staying(placement: 3))
        #expect(fence(2, 9) == .staying(placement: 9))
        // A choice of another database says nothing of this one.
        #expect(fence(0, 3) == .staying(placement: 7))
    }

    @Test("What a group depends on is read from the last rows, with the users who are on the way elsewhere")
    func groupFence() async throws {
        try await withConnection { connection in
            let locked = try connection.rows("SELECT TRUE AS is_locked")
            let placement = try connection.rows("SELECT 7::BIGINT AS placement")
            let users = try connection.rows("SELECT unnest($1::TEXT[]) AS user_id", [["a", "é"]])
            let fence = try #require(try WriteSession.fence([locked, placement], departing: [users]))
            #expect(fence.placement == 7)
            #expect(fence.departing == [UserID(rawValue: "a"), UserID(rawValue: "é")])
            let alone = try #require(try WriteSession.fence([placement], departing: [[PostgresRow]]()))
            #expect(alone.departing.isEmpty)
            let none = try WriteSession.fence([[PostgresRow]](), departing: [[PostgresRow]]())
            #expect(none?.placement == nil)
        }
    }

    @Test("A database that has lost its own row, or its placement, lets no group be done")
    func lostRow() async throws {
        try await withConnection { connection in
            let locked = try connection.rows("SELECT TRUE AS is_locked")
            let nothing = try connection.rows("SELECT NULL::BIGINT AS placement")
            for rows in [[locked, []], [locked, nothing], [locked]] {
                let error = #expect(throws: StoreError.self) {
                    try WriteSession.fence(rows, departing: [[PostgresRow]]())
                }
                #expect(error?.code == .corrupt)
            }
        }
    }

    @Test("A read counts where the database has what the caller chose it for, and nowhere else")
    func reads() async throws {
        try await withConnection { connection in
            let rows = try connection.rows("SELECT 7::BIGINT AS placement")
            try ReadFence(placement: 7).check(rows)
            for placement in [6, 8, 0, -1, .max] as [Int64] {
                let error = #expect(throws: StoreError.self) { try ReadFence(placement: placement).check(rows) }
                #expect(error == .misplaced)
            }
            let error = #expect(throws: StoreError.self) { try ReadFence(placement: 0).check([]) }
            #expect(error == .misplaced)
        }
    }
}
