import CardModel
import CardStore
import Foundation
import Testing
import WireJSON

@testable import CardServer

@Suite("Deleted users")
struct DeletedUserTests {
    private static let ann = UserID(rawValue: "ann")

    private func delete(_ workspace: Workspace) async throws {
        _ = try await workspace.sync("ann")
        #expect(try await workspace.manage(.delete, "/v1/users/ann").status == 204)
    }

    @Test("A device that was offline doesn't bring a deleted user back")
    func offline() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            try await delete(workspace)
            let events: [JSONValue] = [
                workspace.event("session_start"),
                [
                    "id": .string(UUID().uuidString.lowercased()), "type": "attributes",
                    "at": .number(workspace.time.now), "attributes": ["first_name": "Past"],
                ],
            ]
            let answer = try await workspace.sync("ann", cursor: "old", events: events)
            #expect(answer.status == 200)
            #expect(answer.json["replace"] == true && answer.cards.isEmpty)
            #expect(answer.json["events"]?["accepted"] == 0)
            let codes = answer.json["events"]?["rejected"]?.array?.map { $0["code"]?.string }
            #expect(codes == ["user_deleted", "user_deleted"])
            let again = try await workspace.sync("ann", cursor: answer.cursor)
            #expect(again.status == 200 && again.cards.isEmpty)
            #expect(try await workspace.store.userRevision(of: Self.ann) == nil)
            #expect(try await workspace.store.userCount() == 0)
            // Others are as welcome as before.
            #expect(try await workspace.sync("bob").cards.count == 1)
        }
    }

    @Test("A backend that creates the user again lifts the deletion")
    func recreated() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            try await delete(workspace)
            #expect(try await workspace.sync("ann").cards.isEmpty)
            let made = try await workspace.manage(.patch, "/v1/users/ann", ["custom_attributes": ["plan": "gold"]])
            #expect(made.status == 200)
            #expect(try await workspace.sync("ann").cards.count == 1)

            #expect(try await workspace.manage(.delete, "/v1/users/ann").status == 204)
            #expect(try await workspace.sync("ann").cards.isEmpty)
            let tracked = try await workspace.manage(
                .post,
                "/users/track",
                ["attributes": [["external_id": "ann", "plan": "gold"]]]
            )
            #expect(tracked.status == 201)
            #expect(try await workspace.sync("ann").cards.count == 1)
        }
    }

    @Test("Nothing that is stored of a deleted user has the id")
    func noTrace() async throws {
        try await Workspace.run { workspace in
            try await delete(workspace)
            let entries = try await workspace.store.auditEntries(after: 0, limit: 1_000)
            #expect(entries.contains { $0.action == "user.delete" })
            #expect(!entries.contains { $0.subject.contains("ann") || $0.details?.contains("ann") == true })
        }
    }
}
