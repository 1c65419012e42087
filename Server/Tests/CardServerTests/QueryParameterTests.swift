import Testing
import WireJSON

@testable import CardServer

@Suite("Parameters of queries")
struct QueryParameterTests {
    @Test(
        "that a route of the management API doesn't have are refused, and named",
        arguments: [
            ("/v1/campaigns?stauts=active", "stauts"), ("/v1/audit?limit=1&actor=%00", "actor"),
            ("/v1/events/export?after=0&campaign=c1", "campaign"), ("/v1/events/export?types=impression", "types"),
            ("/v1/users/u/feed?at=1&nope", "nope"), ("/v1/settings?a%20b=1", "a b"), ("/v1/segments?Limit=1", "Limit"),
        ]
    )
    func unknown(path: String, name: String) async throws {
        try await Workspace.run { workspace in
            let refused = try await workspace.manage(.get, path)
            #expect(refused.status == 400 && refused.code == "field_unknown" && refused.path == name)
        }
    }

    @Test("that a route has are read, once and in any order")
    func known() async throws {
        try await Workspace.run { workspace in
            for path in ["/v1/campaigns?", "/v1/campaigns?offset=0&limit=5", "/v1/campaigns?&limit=5&"] {
                #expect(try await workspace.manage(.get, path).status == 200)
            }
            let twice = try await workspace.manage(.get, "/v1/campaigns?limit=5&limit=6")
            #expect(twice.status == 400 && twice.code == "field_invalid" && twice.path == "limit")
        }
    }

    @Test("of devices, operations and other servers' backends may be others")
    func tolerated() async throws {
        try await Workspace.run { workspace in
            let health = try await workspace.manage(.get, "/healthz?a=b")
            #expect(health.status == 200)
            let list = try await workspace.backend("/campaigns/list?page=0&a=b")
            #expect(list.status == 200)
        }
    }

    @Test("don't say which routes there are to those who have no key")
    func strangers() async throws {
        try await Workspace.run { workspace in
            let reply = try await workspace.send(.get, "/v1/settings?a=b", raw: nil, key: "sk_none")
            #expect(reply.status == 401)
        }
    }

    @Test("are known of every route of the management API")
    func routes() {
        #expect(QueryParameters.documented[.listCampaigns]?.names == ["limit", "offset", "status"])
        #expect(QueryParameters.documented[.exportEvents]?.names.contains("campaign_id") == true)
        #expect(QueryParameters.documented[.readSettings]?.names.isEmpty == true)
        #expect(QueryParameters.documented[.sync] == nil && QueryParameters.documented[.health] == nil)
    }
}
