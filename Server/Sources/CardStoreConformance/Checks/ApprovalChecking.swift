import CardModel
import CardStore
import Testing

/// The values with which checks of requests for approval begin.
protocol ApprovalChecking {}

extension ApprovalChecking {
    static var sale: CampaignID { CampaignID(rawValue: "sale") }
    static var editor: Actor { .member("emil@example.com") }
    static var admin: Actor { .member("anna@example.com") }

    /// A store with a campaign that is a draft, an administrator, another one, and an editor.
    static func withTeam(
        _ stores: any StoreFactory,
        _ body: @escaping @Sendable (any CardStore) async throws -> Void
    ) async throws {
        try await stores.withStore { store in
            try await store.insertCampaign(.sample(), by: command)
            for (name, role) in [("anna", Role.admin), ("alma", .admin), ("emil", .editor)] {
                let email = "\(name)@example.com"
                try await store.insertMember(
                    TeamMember(email: email, role: role, passwordHash: "-", createdAt: noon),
                    by: command
                )
            }
            try await body(store)
        }
    }

    static func request(
        _ id: String = "apr_1",
        version: Int64 = 1,
        change: Approval.Change = .launch,
        by actor: Actor = editor,
        at time: UnixTime = noon
    ) -> Approval {
        Approval(id: id, campaign: sale, version: version, change: change, by: actor, at: time, comment: "Please")
    }

    static func launched(_ store: any CardStore, at time: UnixTime = noon + 5) async throws -> Campaign {
        try #require(try await store.campaign(sale)).applying(.launch, at: time)
    }
}
