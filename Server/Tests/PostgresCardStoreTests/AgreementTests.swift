import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: two nodes that administer one database")
struct AgreementTests {
    private static let key = SecretsKeySource.keyring(SecretsKeyring([.random()]))
    private static let admin = Actor.member("admin@example.com")

    /// Runs a test with two nodes on one database.
    private func withNodes(_ body: (PostgresCardStore, PostgresCardStore) async throws -> Void) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.now = { testTime }
            options.secretsKey = Self.key
            options.readers = 2
            let first = try await PostgresCardStore.open(url: url, options: options)
            let second = try await PostgresCardStore.open(url: url, options: options)
            try await body(first, second)
            try await first.close()
            try await second.close()
        }
    }

    /// Runs a body once on each node at the same time, and returns what came of it.
    private func race<Value: Sendable>(
        _ nodes: [PostgresCardStore],
        times: Int = 1,
        _ body: @escaping @Sendable (PostgresCardStore, Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: Result<Value, any Error>.self) { group in
            for number in 0..<times {
                for (index, node) in nodes.enumerated() {
                    group.addTask {
                        do {
                            // safe: small numbers
                            return .success(try await body(node, number * nodes.count + index))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func codes<Value>(_ results: [Result<Value, any Error>]) -> [StoreError.Code] {
        results.compactMap { result in
            guard case .failure(let error) = result else { return nil }
            return (error as? StoreError)?.code
        }
    }

    private func yes(_ results: [Result<Bool, any Error>]) -> Int {
        results.filter { result in
            guard case .success(true) = result else { return false }
            return true
        }.count
    }

    @Test("A node with another key doesn't start, also where nothing is encrypted yet")
    func keys() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.secretsKey = Self.key
            let first = try await PostgresCardStore.open(url: url, options: options)
            let folder = TemporaryFolder()
            for other in [.file(path: folder.path("none.key")), SecretsKeySource.keyring(SecretsKeyring([.random()]))] {
                options.secretsKey = other
                await expectFailure(.locked) { try await PostgresCardStore.open(url: url, options: options) }
                let findings = await PostgresCardStore.diagnose(url: url, secretsKey: other)
                #expect(findings.first { $0.subject == "secrets" }?.level == .bad)
            }
            let hook = Webhook(url: "https://example.com/", secret: "whsec_0123456789abcdef", createdAt: testTime)
            try await first.saveWebhook(hook, after: 0, at: testTime, by: Self.admin)
            #expect(try await first.webhookState()?.webhook.secret == hook.secret)
            try await first.close()
        }
    }

    @Test("Only as many attempts are permitted on all nodes together as on one")
    func attempts() async throws {
        try await withNodes { first, second in
            let limit = AttemptLimit(free: 5)
            let attempt = GuessAttempt([
                AttemptSubject(hash: [1], limit: limit, scope: .own),
                AttemptSubject(hash: [2], limit: AttemptLimit(free: 100), scope: .shared),
            ])
            let results = await race([first, second], times: 10) { node, _ in
                try await node.takeAttempt(attempt, at: testTime)
            }
            let waits = try results.map { try $0.get() }
            #expect(waits.filter { $0 == 0 }.count == 5)
            try await first.returnAttempt(attempt, clearing: true)
            let wait = try await second.takeAttempt(attempt, at: testTime)
            #expect(wait == 0)
        }
    }

    @Test("What is refused leaves no rows, whatever strangers choose")
    func refusedAttempts() async throws {
        try await withNodes { first, _ in
            let spent = AttemptSubject(hash: [1], limit: AttemptLimit(free: 1), scope: .shared)
            #expect(try await first.takeAttempt(GuessAttempt([spent]), at: testTime) == 0)
            for number in UInt8(2)...40 {
                let stranger = AttemptSubject(hash: [number], limit: AttemptLimit(free: 5), scope: .own)
                #expect(try await first.takeAttempt(GuessAttempt([stranger, spent]), at: testTime) > 0)
            }
            let rows = try await first.read { try $0.row("SELECT count(*) AS count FROM attempts")?.integer("count") }
            #expect(rows == 1)
        }
    }

    @Test("One of two nodes creates the first member")
    func firstMember() async throws {
        try await withNodes { first, second in
            let results = await race([first, second], times: 4) { node, number in
                try await node.insertFirstMember(
                    TeamMember(email: "m\(number)@example.com", role: .admin, passwordHash: "", createdAt: testTime)
                )
            }
            #expect(yes(results) == 1)
            let members = try await first.members().count
            #expect(members == 1)
        }
    }

    @Test("The last administrator stays one, also where two nodes remove one each")
    func lastAdministrator() async throws {
        try await withNodes { first, second in
            for name in ["a", "b"] {
                let member = TeamMember(
                    email: "\(name)@example.com",
                    role: .admin,
                    passwordHash: "",
                    createdAt: testTime
                )
                try await first.insertMember(member, by: .command)
            }
            let results = await race([first, second]) { node, number in
                try await node.removeMember(number == 0 ? "a@example.com" : "b@example.com", at: testTime, by: .command)
            }
            #expect(codes(results) == [.conflict])
            let members = try await second.members().count
            #expect(members == 1)
        }
    }

    @Test("A link for a password works once on all nodes together")
    func passwordLinks() async throws {
        try await withNodes { first, second in
            let member = TeamMember(email: "a@example.com", role: .admin, passwordHash: "old", createdAt: testTime)
            try await first.insertMember(member, by: .command)
            try await second.setPasswordLink([7], until: testTime + 60, of: member.email, isRequested: true)
            let results = await race([first, second], times: 3) { node, number in
                try await node.usePasswordLink([7], passwordHash: "new \(number)", at: testTime)
            }
            #expect(yes(results) == 1)
            let isNew = try await first.member(member.email)?.passwordHash.hasPrefix("new")
            #expect(isNew == true)
        }
    }

    @Test("A form is accepted once on all nodes together")
    func forms() async throws {
        try await withNodes { first, second in
            let results = await race([first, second], times: 5) { node, _ in
                try await node.spendFormToken([9], until: testTime + 60, at: testTime)
            }
            #expect(yes(results) == 1)
        }
    }

    @Test("Of changes of one version one is made, and the others are conflicts; the generation rises once")
    func campaigns() async throws {
        try await withNodes { first, second in
            var card = CardTemplate(layout: .classic)
            (card.title, card.description) = ("Sale", "Today only")
            let campaign = Campaign(
                id: CampaignID(rawValue: "sale"),
                content: Campaign.Content(
                    name: "Sale",
                    variants: [Campaign.Variant(id: VariantID(rawValue: "a"), name: "A", card: card)]
                ),
                createdAt: testTime
            )
            let created = await race([first, second], times: 2) { [campaign] node, _ in
                try await node.insertCampaign(campaign, by: Self.admin)
            }
            #expect(codes(created) == [.exists, .exists, .exists])
            let launched = try campaign.applying(.launch, at: testTime)
            let results = await race([first, second], times: 3) { [campaign] node, _ in
                try await node.updateCampaign(
                    launched,
                    from: campaign.version,
                    action: "campaign.launch",
                    by: Self.admin
                )
            }
            #expect(codes(results) == Array(repeating: .conflict, count: 5))
            let generation = try await second.loadCatalog(since: nil).generation
            #expect(generation == 1)
        }
    }

    @Test("The entries of all nodes make one chain")
    func auditLog() async throws {
        try await withNodes { first, second in
            let results = await race([first, second], times: 20) { node, number in
                try await node.appendAuditNotes([
                    AuditNote("test.note", of: "\(number)", at: testTime, by: Self.admin)
                ])
            }
            #expect(codes(results).isEmpty)
            let (chain, problems) = try await first.verifyAudit()
            #expect(chain.last.count == 40)
            #expect(problems.isEmpty)
        }
    }

    @Test("One worker has the webhook, whichever node it is on")
    func webhookClaims() async throws {
        try await withNodes { first, second in
            let webhook = Webhook(url: "https://example.com/hook", secret: "s", createdAt: testTime)
            try await first.saveWebhook(webhook, after: nil, at: testTime, by: Self.admin)
            let results = await race([first, second]) { node, number in
                try await node.claimWebhook(for: "worker \(number)", seconds: 600) != nil
            }
            #expect(yes(results) == 1)
            #expect(try await second.claimWebhook(for: "other", seconds: 600) == nil)
        }
    }

    @Test("What one node changes of the catalog is announced on the other")
    func signals() async throws {
        try await withNodes { first, second in
            var changes = second.changes().makeAsyncIterator()
            let block = ContentBlock(name: "footer", content: "x", updatedAt: testTime)
            try await first.saveContentBlock(block, by: Self.admin)
            var change = await changes.next()
            while change != nil, change != .catalog { change = await changes.next() }
            #expect(change == .catalog)
        }
    }
}
