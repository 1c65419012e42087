import CardModel
import CardStore
import Testing
import WireJSON

@testable import CardServer

@Suite("Audit log over HTTP")
struct AuditAPITests {
    @Test("Reads of personal data, exports and deletions are noted with who did them")
    func reads() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.sync("ann")
            let ann = workspace.store.pseudonym(of: UserID(rawValue: "ann"))
            for path in ["", "/events", "/explain?campaign_id=x", "/feed"] {
                let before = try await workspace.store.auditChain().last.position
                _ = try await workspace.manage(.get, "/v1/users/ann\(path)")
                let added = try await workspace.store.auditEntries(after: before, limit: 10)
                #expect(added.map(\.action) == ["user.read"], "\(path)")
                #expect(added.first?.subject == ann)
                #expect(added.first?.actorKind == "key")
                workspace.time.advance(by: ReadThrottle.pageSeconds)
            }
            let before = try await workspace.store.auditChain().last.position
            _ = try await workspace.manage(.post, "/users/export/ids", ["external_ids": ["ann"]])
            _ = try await workspace.manage(.get, "/v1/events/export")
            _ = try await workspace.manage(.post, "/users/delete", ["external_ids": ["ann"]])
            let added = try await workspace.store.auditEntries(after: before, limit: 10)
            #expect(added.map(\.action) == ["user.export", "event.export", "user.delete"])
            #expect(added.last?.subject == ann)
            #expect(try await workspace.store.verifyAudit().problems.isEmpty)
        }
    }

    @Test("A change of a user is answered with what is known of them, and noted as a read")
    func updates() async throws {
        try await Workspace.run { workspace in
            let before = try await workspace.store.auditChain().last.position
            let answer = try await workspace.manage(.patch, "/v1/users/ann", ["attributes": ["first_name": "Ann"]])
            #expect(answer.json["attributes"]?["first_name"] == "Ann")
            #expect(try await workspace.manage(.patch, "/v1/users/ben", ["nothing": 1]).status == 400)
            let added = try await workspace.store.auditEntries(after: before, limit: 10)
            #expect(added.map(\.action) == ["user.read"] && added.first?.actorKind == "key")
            #expect(added.first?.subject == workspace.store.pseudonym(of: UserID(rawValue: "ann")))
        }
    }

    @Test("Who gets tests by default is noted as a read of users, also where a test names them by its answer")
    func testUsers() async throws {
        try await Workspace.run { workspace in
            _ = try await workspace.sync("ann")
            let draft: JSONValue = [
                "id": "draft", "name": "Draft",
                "variants": [["id": "a", "name": "A", "card": ["type": "classic", "title": "A", "description": "B"]]],
            ]
            #expect(try await workspace.manage(.post, "/v1/campaigns", draft).status == 201)
            #expect(try await workspace.manage(.put, "/v1/test-users", ["users": ["ann"]]).status == 200)
            let before = try await workspace.store.auditChain().last.position
            #expect(try await workspace.manage(.get, "/v1/test-users").json["users"] == ["ann"])
            workspace.time.advance(by: ReadThrottle.pageSeconds)
            let path = "/v1/campaigns/draft/test-send"
            let sent = try await workspace.manage(.post, path, [:])
            #expect(sent.json["sent"]?.array?.map { $0["user_id"]?.string } == ["ann"])
            #expect(try await workspace.manage(.post, path, ["users": ["ann"]]).status == 200)
            let added = try await workspace.store.auditEntries(after: before, limit: 10)
            #expect(
                added.map(\.action) == ["user.list", "user.list", "campaign.test-send", "campaign.test-send"]
            )
            #expect(added.first?.actorKind == "key")
        }
    }

    @Test("Each export of users has an entry, however soon it follows another")
    func exports() async throws {
        try await Workspace.run { workspace in
            let before = try await workspace.store.auditChain().last.position
            for ids: JSONValue in [["ann"], ["ben"], ["ann", "ben"]] {
                _ = try await workspace.manage(.post, "/users/export/ids", ["external_ids": ids])
            }
            let added = try await workspace.store.auditEntries(after: before, limit: 10)
            #expect(added.map(\.action) == ["user.export", "user.export", "user.export"])
        }
    }

    @Test(
        "HEAD of an export doesn't say that it is empty, and isn't noted as an export",
        arguments: ["/v1/audit/export", "/v1/events/export"]
    )
    func headOfExports(_ path: String) async throws {
        try await Workspace.run { workspace in
            let full = try await workspace.manage(.get, path)
            let noted = try await workspace.store.auditChain().last.position
            let head = try await workspace.manage(.head, path)
            #expect(try await workspace.store.auditChain().last.position == noted)
            #expect(head.status == 200 && head.text.isEmpty && head.headers[.contentLength] == nil)
            #expect(head.headers[.contentType] == full.headers[.contentType])
            // The next response on the connection is its own.
            let health = try await workspace.send(.get, "/healthz", raw: nil, key: nil)
            #expect(health.json["status"] == "ok")
        }
    }

    @Test("HEAD says how long a document is")
    func headOfDocuments() async throws {
        try await Workspace.run { workspace in
            let full = try await workspace.manage(.get, "/v1/settings")
            let head = try await workspace.manage(.head, "/v1/settings")
            #expect(head.headers[.contentLength] == full.headers[.contentLength] && head.text.isEmpty)
            #expect(full.headers[.contentLength] != nil)
        }
    }

    @Test("The whole log can be read page by page and as JSON lines")
    func paging() async throws {
        try await Workspace.run { workspace in
            let notes = (0..<250).map { AuditNote("n.\($0)", of: "s", at: workspace.time.now, by: .command) }
            try await workspace.store.appendAuditNotes(notes)
            var seen: [Int64] = []
            var next: Int64?
            repeat {
                let query = next.map { "&before=\($0)" } ?? ""
                let page = try await workspace.manage(.get, "/v1/audit?limit=40\(query)")
                #expect(page.status == 200)
                seen += page.json["entries"]?.array?.compactMap { $0["position"]?.integer } ?? []
                next = page.json["next"]?.integer
            } while next != nil
            let count = try await workspace.store.auditChain().last.count
            #expect(Int64(seen.count) == count && seen == seen.sorted(by: >) && Set(seen).count == seen.count)

            let export = try await workspace.manage(.get, "/v1/audit/export")
            let lines = try export.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(Int64(lines.count) == count + 1)
            #expect(lines.last?["action"] == "audit.export")
            #expect(lines.first?["hash"]?.string?.utf8.count == 64)
            let rest = try await workspace.manage(.get, "/v1/audit/export?after=\(count)")
            #expect(rest.text.split(separator: "\n").count == 2)
            for query in ["before=x", "before=-1", "before=99999999999999999999"] {
                #expect(try await workspace.manage(.get, "/v1/audit?\(query)").status == 400)
            }
        }
    }

    @Test("A key that reads everything all the time fills the log with so many entries, and a count of the rest")
    func throttle() {
        var throttle = ReadThrottle(limit: 300)
        var notes: [AuditNote] = []
        for number in 0..<1_000 {
            notes += throttle.take(AuditNote("user.read", of: "\(number)", at: 10, by: .key("k")), at: 10)
        }
        #expect(notes.count == throttle.limit)
        #expect(throttle.take(AuditNote("user.read", of: "a", at: 10, by: .key("other")), at: 10).count == 1)
        let rest = throttle.expire(at: 10 + ReadThrottle.window)
        #expect(rest.map(\.details) == [#"{"more":700}"#])
        #expect(throttle.expire(at: 10_000).isEmpty)
    }

    @Test("The same read is one entry for some seconds")
    func onePage() {
        var throttle = ReadThrottle(limit: 300)
        func take(_ time: UnixTime) -> Int {
            let notes = throttle.take(AuditNote("user.read", of: "a", at: time, by: .key("k")), at: time)
            for note in notes { throttle.confirm(note) }
            return notes.count
        }
        #expect([take(10), take(11), take(14.9), take(15), take(16)] == [1, 0, 0, 1, 0])
    }
}
