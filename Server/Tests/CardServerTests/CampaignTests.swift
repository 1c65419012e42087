import CardModel
import Dispatch
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

@Suite("Campaigns")
struct CampaignTests {
    @Test("What was read can be sent back, and changes nothing")
    func roundTrip() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let read = try await workspace.manage(.get, "/v1/campaigns/welcome").json
            let saved = try await workspace.manage(.put, "/v1/campaigns/welcome", read)
            #expect(saved.status == 200)
            #expect(saved.json == read)
        }
    }

    @Test("The second of two editors is told that the campaign was changed since")
    func conflict() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let both = try await workspace.manage(.get, "/v1/campaigns/welcome").json.object ?? [:]
            var first = both
            first["name"] = "First"
            var second = both
            second["name"] = "Second"

            #expect(try await workspace.manage(.put, "/v1/campaigns/welcome", .object(first)).status == 200)
            let refused = try await workspace.manage(.put, "/v1/campaigns/welcome", .object(second))
            #expect(refused.status == 409)
            #expect(refused.code == "version_conflict")
            #expect(try await workspace.manage(.get, "/v1/campaigns/welcome").json["name"] == "First")
        }
    }

    @Test("What became of a campaign is listed, and an older version is brought back as a new one")
    func versions() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome", card: ["type": "classic", "title": "First", "description": "Text"])
            let edited = try await workspace.edit(
                "welcome",
                card: ["type": "classic", "title": "Second", "description": "Text"]
            )
            let then = try await workspace.manage(.get, "/v1/campaigns/welcome/versions/2").json
            #expect(then["action"] == "campaign.launch")
            #expect(then["campaign"]?["status"] == "active")
            #expect(then["campaign"]?["variants"]?.array?[0]["card"]?["title"] == "First")

            var old = try #require(then["campaign"]?.object)
            #expect(try await workspace.manage(.put, "/v1/campaigns/welcome", .object(old)).code == "version_conflict")
            old["version"] = edited.json["version"]
            let restored = try await workspace.manage(.put, "/v1/campaigns/welcome", .object(old))

            #expect(restored.status == 200)
            #expect(restored.json["version"] == 4)
            #expect(try await workspace.sync("ann").cards.map { $0["title"] } == ["First"])
            let list = try await workspace.manage(.get, "/v1/campaigns/welcome/versions").json["versions"]?.array ?? []
            #expect(list.map { $0["version"] } == [4, 3, 2, 1])
            #expect(list.map { $0["restores"] } == [1, .null, .null, .null])
            #expect(list.map { $0["changed"] } == [["variants"], ["variants"], [], []])
            #expect(list.allSatisfy { $0["actor"]?.string?.isEmpty == false })
            let older = try await workspace.manage(.get, "/v1/campaigns/welcome/versions?before=3&limit=1")
            #expect(older.json["versions"]?.array?.map { $0["version"] } == [2])
        }
    }

    @Test(
        "A version or campaign that is not there is not found, and a number that is none is refused",
        arguments: [
            ("/v1/campaigns/none/versions", 404), ("/v1/campaigns/none/versions/1", 404),
            ("/v1/campaigns/welcome/versions/9", 404), ("/v1/campaigns/welcome/versions/first", 404),
            ("/v1/campaigns/welcome/versions?before=last", 400),
        ]
    )
    func missingVersions(_ path: String, status: Int) async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            #expect(try await workspace.manage(.get, path).status == status)
            #expect(try await workspace.send(.get, path, raw: nil, key: workspace.publishable).status == 403)
        }
    }

    @Test("A transition that the status does not allow is refused, one that changes nothing is not")
    func transitions() async throws {
        try await Workspace.run { workspace in
            try await workspace.manage(
                .post,
                "/v1/campaigns",
                [
                    "id": "draft", "name": "Draft", "variants": [["card": Workspace.classic]],
                ]
            )
            let paused = try await workspace.manage(.post, "/v1/campaigns/draft/pause")
            #expect(paused.status == 409)
            #expect(paused.code == "transition_invalid")
            let launched = try await workspace.manage(.post, "/v1/campaigns/draft/launch").json
            let again = try await workspace.manage(.post, "/v1/campaigns/draft/launch")
            #expect(again.status == 200)
            #expect(again.json == launched)
        }
    }

    @Test("An edit at any moment of a launch launches nothing that wasn't checked")
    func editedWhileLaunched() async throws {
        try await Workspace.run { workspace in
            var (place, edits) = (0, 0)
            var wasReached = true
            while wasReached {
                let id = "draft-\(place)"
                let draft: JSONValue = ["id": .string(id), "name": "Draft", "variants": [["card": Workspace.classic]]]
                try await workspace.manage(.post, "/v1/campaigns", draft)
                let edit = EditAtMoment(place, of: CampaignID(rawValue: id), in: workspace.store)
                workspace.time.whenAsked { edit.timeIsAsked() }
                let answer = try await workspace.manage(.post, "/v1/campaigns/\(id)/launch")
                workspace.time.whenAsked(nil)
                wasReached = edit.wasReached
                let campaign = try #require(try await workspace.store.campaign(CampaignID(rawValue: id)))
                let isChecked = campaign.content.delivery.schedule.end == nil
                #expect(campaign.status == (isChecked ? .active : .draft), "\(place): \(answer.status)")
                #expect((answer.status == 200) == isChecked)
                edits += isChecked ? 0 : 1
                place += 1
            }
            #expect(edits > 1)
        }
    }

    @Test("An id that is taken is refused")
    func taken() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let answer = try await workspace.manage(
                .post,
                "/v1/campaigns",
                [
                    "id": "welcome", "name": "Other", "variants": [["card": Workspace.classic]],
                ]
            )
            #expect(answer.status == 409)
            #expect(answer.code == "already_exists")
        }
    }

    @Test("A launched campaign keeps its variants")
    func keepsVariants() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            var body = try await workspace.manage(.get, "/v1/campaigns/welcome").json.object ?? [:]
            body["variants"] = [["id": "b", "card": Workspace.classic]]
            let answer = try await workspace.manage(.put, "/v1/campaigns/welcome", .object(body))
            #expect(answer.status == 400)
            #expect(answer.path == "variants")
        }
    }

    @Test(
        "A duplicate has a name that can be read again, however long that of the original is",
        arguments: [
            String(repeating: "n", count: 255), String(repeating: "e\u{301}\u{302}", count: 204),
            String(repeating: "\u{1F600}", count: 255), "short",
        ]
    )
    func duplicateNames(name: String) async throws {
        try await Workspace.run { workspace in
            let draft: JSONValue = [
                "id": "long", "name": .string(name),
                "variants": [["card": ["type": "classic", "title": "t", "description": "d"]]],
            ]
            #expect(try await workspace.manage(.post, "/v1/campaigns", draft).status == 201)
            for _ in 0..<3 {
                let copy = try await workspace.manage(.post, "/v1/campaigns/long/duplicate")
                #expect(copy.status == 201 && copy.json["name"]?.string?.hasSuffix(" (copy)") == true)
            }
            let list = try await workspace.manage(.get, "/v1/campaigns")
            #expect(list.status == 200 && list.json["campaigns"]?.array?.count == 4)
        }
    }

    @Test("A duplicate is a draft of its own, and archived campaigns are listed only when asked for")
    func duplicateAndArchive() async throws {
        try await Workspace.run { workspace in
            try await workspace.launch("welcome")
            let copy = try await workspace.manage(.post, "/v1/campaigns/welcome/duplicate")
            #expect(copy.status == 201)
            #expect(copy.json["status"] == "draft")
            #expect(copy.json["name"] == "welcome (copy)")
            let id = try #require(copy.json["id"]?.string)
            #expect(try await workspace.manage(.post, "/v1/campaigns/\(id)/archive").status == 200)
            let listed = try await workspace.manage(.get, "/v1/campaigns").json["campaigns"]?.array
            #expect(listed?.map { $0["id"] } == ["welcome"])
            let archived = try await workspace.manage(.get, "/v1/campaigns?status=archived").json["campaigns"]?.array
            #expect(archived?.map { $0["id"] } == [.string(id)])
            let restored = try await workspace.manage(.post, "/v1/campaigns/\(id)/restore")
            #expect(restored.status == 200 && restored.json["status"] == "draft")
        }
    }
}

/// Gives a draft an end that is past when the time is asked for the nth time.
private final class EditAtMoment: Sendable {
    private let countdown: Mutex<Int>
    private let id: CampaignID
    private let store: SQLiteCardStore

    init(_ place: Int, of id: CampaignID, in store: SQLiteCardStore) {
        countdown = Mutex(place)
        (self.id, self.store) = (id, store)
    }

    var wasReached: Bool { countdown.withLock { $0 < 0 } }

    /// Waits for the edit: management requests have threads of their own.
    func timeIsAsked() {
        let isNow = countdown.withLock { countdown in
            countdown -= 1
            return countdown == -1
        }
        guard isNow else { return }
        let done = DispatchSemaphore(value: 0)
        Task { [id, store] in
            if var campaign = try? await store.campaign(id), campaign.status == .draft {
                campaign.content.delivery = .scheduled(start: nil, end: 1)
                let version = campaign.version
                _ = try? await store.updateCampaign(campaign, from: version, action: "campaign.update", by: .command)
            }
            done.signal()
        }
        done.wait()
    }
}
