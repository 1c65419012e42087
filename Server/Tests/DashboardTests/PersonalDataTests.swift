import CardModel
import CardStore
import HTTPTypes
import LiveTesting
import NIOCore
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: personal data")
struct PersonalDataTests {
    /// What must not be on a page for a viewer.
    private static let personal = ["kate-4711", "kate@example.com", "Lindqvist", "secret-plan", "secret-size"]

    private func fill(_ place: Workplace, _ admin: Visitor) async throws {
        let page = try await admin.post(
            "/dashboard/keys",
            from: "/dashboard/keys",
            ["name": "Backend", "kind": "secret", "permission": "manage"]
        )
        let secret = String(try #require(page.text.firstMatch(of: /id="secret">([^<]+)</)).1)
        let body: JSONValue =
            [
                "attributes": [
                    [
                        "external_id": "kate-4711", "email": "kate@example.com", "last_name": "Lindqvist",
                        "plan": "secret-plan",
                    ]
                ],
                "events": [
                    [
                        "external_id": "kate-4711", "name": "ordered", "time": .number(place.time.now),
                        "properties": ["size": "secret-size"],
                    ]
                ],
            ]
        try await place.client.execute(
            uri: "/users/track",
            method: .post,
            headers: [.authorization: "Bearer \(secret)", .contentType: "application/json"],
            body: ByteBuffer(bytes: body.bytes)
        ) { answer in #expect(answer.status.code < 300) }
    }

    @Test("Conditions on who a user is have no values where personal data is hidden", arguments: ["user_id", "email"])
    func conditions(_ attribute: String) throws {
        let data = PersonalData()
        for value: JSONValue in ["kate-4711", ["kate-4711"]] {
            let clause: JSONValue = [
                "attribute": .string(attribute), "comparison": "equals", "value": value,
            ]
            let masked = data.masked(["audience": ["all": [clause]]])
            #expect(!masked.text.contains("kate-4711"))
        }
    }

    @Test("Where personal data is hidden, no page shows a viewer who users are, and editors see them as before")
    func hidden() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            try await fill(place, admin)
            let on = ["mask_personal_data": "on"].merging(WorkspaceTests.settings) { $1 }
            #expect(try await admin.post("/dashboard/settings", from: "/dashboard/settings", on).status == 303)
            let viewer = try await place.member(.viewer)
            let editor = try await place.member(.editor)
            try await place.store.appendAuditNote("user.delete", of: "kate-4711", at: place.time.now, by: .command)
            _ = try await editor.post("/dashboard/users/kate-4711/delete", from: "/dashboard/account")

            let pages = place.routes.filter { $0.hasPrefix("GET /dashboard") && !$0.contains("live") }
                .map { RouteTable.filled(String($0.dropFirst(4))) }
            let users = ["/dashboard/users/kate-4711", "/dashboard/users/kate-4711/feed", "/dashboard/users?q=kate"]
            let events = ["/dashboard/events", "/dashboard/events?user=nobody", "/dashboard/events?part=lines"]
            for path in pages + users.suffix(1) + events {
                let text = try await viewer.get(path).text
                for word in Self.personal { #expect(!text.contains(word), "\(path) says \(word)") }
            }
            #expect(try await viewer.get(users[0]).status == 403)
            #expect(try await viewer.get(users[1]).status == 403)
            // Whether a filter finds nothing would tell who is there.
            let found = try await viewer.get("/dashboard/events?user=nobody").text
            #expect(found.contains("ordered") && found.contains("User "))

            let shown = try await editor.get("/dashboard/users?q=kate").text
            #expect(shown.contains("kate@example.com"))
            #expect(try await editor.get(users[0]).text.contains("secret-plan"))
            #expect(try await editor.get("/dashboard/events").text.contains("secret-size"))
        }
    }

    @Test("Whatever page shows who a user is, the audit log says that it was read")
    func reads() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            try await fill(place, admin)
            let pages = place.routes.filter { $0.hasPrefix("GET /dashboard") && !$0.contains("live") }
                .map { RouteTable.filled(String($0.dropFirst(4))) }
            let users = ["/dashboard/users/kate-4711", "/dashboard/users/kate-4711/feed", "/dashboard/users?q=kate"]
            let others = [
                "/dashboard/events?user=kate-4711", "/dashboard/events?part=lines", "/dashboard/search?q=kate",
            ]
            var shown = 0
            for path in pages + users + others {
                // What is read again within seconds is a part of the page before it.
                place.time.advance(by: 60)
                let before = try await place.audit().filter(Self.isRead).count
                let text = try await admin.get(path).text
                guard Self.personal.contains(where: text.contains) else { continue }
                shown += 1
                #expect(try await place.audit().filter(Self.isRead).count == before + 1, "\(path) was read by nobody")
            }
            #expect(shown >= 6)
        }
    }

    private static func isRead(_ action: String) -> Bool {
        ["user.read", "user.list", "event.list"].contains(action)
    }

    @Test("Pages of segments, versions and reports name no user to a viewer where personal data is hidden")
    func insideCampaigns() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let on = ["mask_personal_data": "on"].merging(WorkspaceTests.settings) { $1 }
            #expect(try await admin.post("/dashboard/settings", from: "/dashboard/settings", on).status == 303)
            let audience: JSONValue = [
                "any": [
                    ["users": ["kate-4711", "bob-1"]],
                    ["attribute": "email", "comparison": "equals", "value": "kate@example.com"],
                    ["attribute": "last_name", "comparison": "is_any_of", "value": ["Lindqvist", "Berg"]],
                ]
            ]
            let segment = try Segment(
                id: SegmentID(rawValue: "vips"),
                content: .init(json: ["name": "VIPs", "audience": audience]),
                createdAt: place.time.now
            )
            try await place.store.insertSegment(segment, by: .command)
            let content: JSONValue = [
                "name": "Sale",
                "variants": [["id": "a", "name": "A", "card": ["type": "classic", "title": "T", "description": "D"]]],
            ]
            let campaign = Campaign(
                id: CampaignID(rawValue: "sale"),
                content: try .init(json: content),
                createdAt: place.time.now
            )
            try await place.store.insertCampaign(campaign, by: .command)
            var edited = try #require(content.object)
            edited["audience"] = audience
            _ = try await place.store.updateCampaign(
                campaign.updating(try .init(json: .object(edited)), at: place.time.now),
                from: campaign.version,
                action: "campaign.update",
                by: .command
            )

            let viewer = try await place.member(.viewer)
            let paths = ["/dashboard/segments/vips", "/dashboard/campaigns/sale", "/dashboard/campaigns/sale/versions"]
            for path in paths {
                let page = try await viewer.get(path)
                #expect(page.status == 200)
                for word in Self.personal + ["bob-1"] { #expect(!page.text.contains(word), "\(path) says \(word)") }
            }
            #expect(try await viewer.get(paths[0]).text.contains("User "))
            #expect(try await admin.get(paths[0]).text.contains("kate-4711"))
        }
    }

    @Test("What a mask leaves of an audience says nothing of users, at any depth, and keeps everything else")
    func masks() throws {
        let mask = PersonalData()
        let json: JSONValue = [
            "all": [
                ["none": [["users": ["kate-4711"]]]], ["attribute": "phone", "comparison": "equals", "value": "+4711"],
                ["attribute": "plan", "comparison": "equals", "value": "gold"],
            ]
        ]
        let masked = mask.masked(json)
        // A mask has digits of its own, which are random.
        #expect(!masked.text.contains("kate") && !masked.text.contains("+4711"))
        #expect(masked["all"]?.array?.last == json["all"]?.array?.last)
        #expect(masked.text.contains(mask.mask("kate-4711")))
    }

    @Test("By default viewers see users")
    func standard() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            try await fill(place, admin)
            let viewer = try await place.member(.viewer)
            #expect(try await viewer.get("/dashboard/users/kate-4711").text.contains("secret-plan"))
        }
    }
}
