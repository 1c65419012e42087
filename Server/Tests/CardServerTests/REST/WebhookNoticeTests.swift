import CardModel
import CardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("Telling a webhook of users who are gone")
struct WebhookNoticeTests {
    private static let ann = UserID(rawValue: "ann")

    private func delete(_ user: UserID = ann, in scene: WebhookScene) async throws {
        #expect(try await scene.store.deleteUsers([.id(user)], at: scene.time.now, by: .command) == [user])
    }

    @Test("A deletion is sent, signed, with the id and the aliases and nothing else of the user")
    func deletion() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...3)
            try await scene.store.updateUsers([UserUpdate(id: Self.ann, custom: ["plan": "secret-plan"])], at: 0)
            let alias = UserAlias(label: "loyalty", name: "4711")
            _ = try await scene.store.addAliases([NewAlias(alias: alias, user: Self.ann, newUser: Self.ann)], at: 0)
            try await delete(in: scene)
            #expect(try await scene.step() == 0)

            let request = try #require(scene.receiver.requests.first)
            #expect(request.isSigned(with: scene.secret))
            #expect(!String(decoding: request.body, as: UTF8.self).contains("secret-plan"))
            let body = try JSONValue(parsing: request.body)
            let event = try #require(body["events"]?.array?.first)
            #expect(event["type"] == "user.deleted")
            #expect(event["user_id"] == "ann")
            #expect(event["position"] == .null)
            #expect(event["details"] == ["aliases": [["alias_name": "4711", "alias_label": "loyalty"]]])
            #expect(EventID(utf8: Array((event["id"]?.string ?? "").utf8)) != nil)
            // Only once, and the log is followed afterwards.
            while try await scene.step() == 0 {}
            #expect(scene.receiver.requests.count == 1)
            #expect(try await scene.store.webhookState()?.pendingNotices == 0)
            try await scene.record(4...5)
            _ = try await scene.step()
            #expect(scene.receiver.numbers == [4, 5])
        }
    }

    @Test("A receiver that is down for hours gets the deletion once it is back, before later events")
    func down() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...2)
            try await delete(in: scene)
            for _ in 1...16 {
                scene.receiver.answer(.serviceUnavailable)
                #expect(try await scene.step() > 0)
                scene.time.advance(by: 3_601 * 1.5)
            }
            #expect(scene.receiver.requests.allSatisfy { !$0.isTaken })
            #expect(scene.receiver.requests.count == 16)
            try await scene.store.updateUsers([UserUpdate(id: Self.ann)], at: scene.time.now)
            try await scene.record(3...3)
            while try await scene.step() == 0 {}

            let taken = scene.receiver.requests.filter(\.isTaken)
            #expect(taken.map(\.types) == [["user.deleted"], ["custom"]])
            #expect(Set(scene.receiver.requests.filter { $0.types == ["user.deleted"] }.flatMap(\.ids)).count == 1)
        }
    }

    @Test("A deletion whose answer was lost comes again with the same id")
    func duplicates() async throws {
        try await WebhookScene.run { scene in
            try await scene.record(1...1)
            try await delete(in: scene)
            scene.receiver.whenAsked {
                scene.time.advance(by: 200)
                _ = try? await scene.store.claimWebhook(for: "other", seconds: 100)
            }
            _ = try await scene.step()
            scene.time.advance(by: 400)
            _ = try await scene.step(as: "restarted")
            #expect(scene.receiver.requests.map(\.types) == [["user.deleted"], ["user.deleted"]])
            #expect(Set(scene.receiver.requests.flatMap(\.ids)).count == 1)
        }
    }

    @Test("More deletions than a request carries go out in order")
    func many() async throws {
        try await WebhookScene.run { scene in
            let users = (0..<1_200).map { UserID(rawValue: "user-\($0)") }
            for start in stride(from: 0, to: users.count, by: 600) {
                let piece = users[start..<start + 600]
                _ = try await scene.store.updateUsers(piece.map { UserUpdate(id: $0) }, at: 0)
                _ = try await scene.store.deleteUsers(piece.map { .id($0) }, at: 0, by: .command)
            }
            while try await scene.step() == 0 {}
            #expect(scene.receiver.requests.flatMap(\.users) == users.map(\.rawValue))
            #expect(scene.receiver.requests.count == 3)
        }
    }

    @Test("Every way of deleting a user, and a merge, leaves a notice, and the state shows it")
    func everyWay() async throws {
        try await Workspace.run { workspace in
            let url: JSONValue = ["url": "http://127.0.0.1:8081/", "types": ["user.deleted", "user.merged", "click"]]
            #expect(try await workspace.manage(.put, "/v1/webhook", url).json["pending_notices"] == 0)
            for user in ["ann", "bob", "cyd"] { _ = try await workspace.sync(user) }
            #expect(try await workspace.manage(.delete, "/v1/users/ann").status == 204)
            let deleted = try await workspace.backend("/users/delete", ["external_ids": ["bob", "nobody"]])
            #expect(deleted.json["deleted"] == 1)
            let alias: JSONValue = ["alias_name": "4711", "alias_label": "loyalty"]
            #expect(try await workspace.backend("/users/alias/new", ["user_aliases": [alias]]).status == 201)
            let identified = try await workspace.backend(
                "/users/identify",
                ["aliases_to_identify": [["external_id": "cyd", "user_alias": alias]]]
            )
            #expect(identified.status == 201)

            let notices = try await workspace.store.webhookNotices(limit: 10)
            #expect(notices.map(\.kind) == [.userDeleted, .userDeleted, .userMerged])
            #expect(notices.map(\.subject.text).prefix(2) == ["ann", "bob"])
            #expect(notices.last?.details == ["merged_into": "cyd"])
            let state = try await workspace.manage(.get, "/v1/webhook").json
            #expect(state["pending_notices"] == 3)
            #expect(state["dropped_notices"] == 0)
            #expect(try await workspace.backend("/v1/events/export?type=user.deleted").status == 400)
        }
    }
}

extension WebhookScene.Receiver.Received {
    private var events: [JSONValue] { (try? JSONValue(parsing: body))?["events"]?.array ?? [] }
    var types: [String] { events.compactMap { $0["type"]?.string } }
    var ids: [String] { events.compactMap { $0["id"]?.string } }
    var users: [String] { events.compactMap { $0["user_id"]?.string } }
}
