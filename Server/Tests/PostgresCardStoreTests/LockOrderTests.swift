import CardModel
import CardStore
import CardStoreConformance
import PostgresTesting
import Testing

@testable import PostgresCardStore

/// Two nodes write to the same users in opposite orders, as backends and devices do.
@Suite("PostgreSQL: the order in which nodes lock", .timeLimit(.minutes(20)))
struct LockOrderTests {
    private static let rounds = 20
    private static let users = 12

    /// Runs a job for each round on both nodes at once, and expects that the server found no deadlock.
    private func withTwoNodes(
        prepare: (PostgresCardStore) async throws -> Void = { _ in },
        _ job: @Sendable @escaping (PostgresCardStore, _ round: Int, _ isSecond: Bool) async throws -> Void
    ) async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.secretsKey = .keyring(SecretsKeyring([.random()]))
            let nodes = [
                try await PostgresCardStore.open(url: url, options: options),
                try await PostgresCardStore.open(url: url, options: options),
            ]
            try await prepare(nodes[0])
            for round in 0..<Self.rounds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, node) in nodes.enumerated() { group.addTask { try await job(node, round, index == 1) } }
                    try await group.waitForAll()
                }
            }
            for node in nodes {
                #expect(node.traffic?.retries[.deadlock, default: 0] == 0)
                try await node.close()
            }
            let last = try await PostgresCardStore.open(url: url, options: options)
            let deadlocks = try await last.read { connection in
                try connection.row("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")?
                    .integer("deadlocks")
            }
            #expect(deadlocks == 0)
            try await last.close()
        }
    }

    private static func alias(_ number: Int, _ round: Int = 0) -> UserAlias {
        UserAlias(label: "crm", name: "\(round)-\(number)")
    }

    private static func order(_ isSecond: Bool) -> [Int] { isSecond ? (0..<users).reversed() : Array(0..<users) }

    private static func event(_ round: Int, _ user: Int, _ isSecond: Bool) -> DeviceEvent {
        DeviceEvent(UInt64(round * 1_000 + user * 2 + (isSecond ? 1 : 0)), .custom(name: "open"))
    }

    @Test("Users who are named by alias in any order are locked in one")
    func aliases() async throws {
        try await withTwoNodes { node in
            let users = (0..<Self.users).map { UserID(rawValue: "user-\($0)") }
            try await node.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            let aliases = users.enumerated().map { NewAlias(alias: Self.alias($0), user: $1, newUser: $1) }
            #expect(try await node.addAliases(aliases, at: noon).allSatisfy { $0 == .given })
        } _: { node, round, isSecond in
            let changes = Self.order(isSecond).map { number in
                TrackedChange(
                    user: .alias(Self.alias(number)),
                    newUser: nil,
                    content: .event(Self.event(round, number, isSecond))
                )
            }
            let outcome = try await node.trackUsers(changes, rules: nil, at: noon)
            #expect(outcome.duplicates == 0 && outcome.users.compactMap(\.self).count == Self.users)
        }
    }

    @Test("Users who aren't there yet are created in any order without a deadlock, and each once")
    func newUsers() async throws {
        try await withTwoNodes { node, round, isSecond in
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                let user = UserID(rawValue: "new-\(round)-\(number)")
                let receipt = try await node.record([Self.event(round, number, isSecond)], of: user).receipt
                #expect(receipt.accepted == 1)
            }
        }
    }

    @Test("Users who are created by new aliases in any order are one each")
    func newAliases() async throws {
        try await withTwoNodes { node, round, isSecond in
            let changes = Self.order(isSecond).map { number in
                TrackedChange(
                    user: .alias(Self.alias(number, round)),
                    newUser: UserID(rawValue: "made-\(round)-\(number)-\(isSecond)"),
                    content: .event(Self.event(round, number, isSecond))
                )
            }
            _ = try await node.trackUsers(changes, rules: nil, at: noon)
            let found = try await node.findUsers((0..<Self.users).map { .alias(Self.alias($0, round)) })
            #expect(found.compactMap(\.self).count == Self.users)
        }
    }

    @Test("Campaigns, content blocks, settings, segments and keys are changed in any order without a deadlock")
    func authoring() async throws {
        let names = ["a", "b", "c"]
        try await withTwoNodes { node in
            for name in names {
                try await node.launch(.sample(name))
                let segment = Segment.SegmentContent(name: name, audience: .everyone)
                let id = SegmentID(rawValue: name)
                try await node.insertSegment(Segment(id: id, content: segment, createdAt: noon), by: command)
            }
        } _: { node, round, isSecond in
            // Those of one node that wait together are in one transaction, unless they are kept apart.
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                // safe: there are three names
                let name = names[(round + number) % 3]
                let text = "\(round) \(number) \(isSecond)"
                switch number % 4 {
                case 0:
                    try await node.saveContentBlock(
                        ContentBlock(name: name, content: text, updatedAt: noon),
                        by: command
                    )
                case 1:
                    guard var campaign = try await node.campaign(CampaignID(rawValue: name)) else { return }
                    let version = campaign.version
                    campaign.content.name = text
                    _ = try? await node.updateCampaign(campaign, from: version, action: "campaign.update", by: command)
                case 2:
                    var settings = Settings()
                    // safe: small numbers
                    settings.cardLimit = 10 + round * 10 + number
                    try await node.saveSettings(settings, at: noon, by: command)
                default:
                    guard var segment = try await node.segment(SegmentID(rawValue: name)) else { return }
                    let version = segment.version
                    segment.content.name = text
                    _ = try? await node.updateSegment(segment, from: version, action: "segment.update", by: command)
                }
            }
        }
    }

    @Test("Attempts at passwords are counted in any order")
    func attempts() async throws {
        try await withTwoNodes { node, round, isSecond in
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                let subject = AttemptSubject(
                    hash: [UInt8(clamping: round), UInt8(clamping: number)],
                    limit: AttemptLimit(free: 5),
                    scope: .shared
                )
                let attempt = GuessAttempt([subject])
                #expect(try await node.takeAttempt(attempt, at: noon) == 0)
                try await node.returnAttempt(attempt, clearing: false)
            }
        }
    }

    private static func email(_ number: Int) -> String { "member-\(number)@example.com" }

    @Test("Members sign in, and their sessions are used, in any order")
    func sessions() async throws {
        try await withTwoNodes { node in
            for number in 0..<Self.users {
                let member = TeamMember(
                    email: Self.email(number),
                    role: .admin,
                    passwordHash: "scrypt$1",
                    createdAt: noon
                )
                try await node.insertMember(member, by: command)
                let session = Session(
                    hash: [UInt8(clamping: number)],
                    email: member.email,
                    formKey: [1],
                    createdAt: noon,
                    expiresAt: noon + 100
                )
                try await node.insertSession(session)
            }
        } _: { node, round, isSecond in
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                guard number.isMultiple(of: 2) else {
                    let hash = [UInt8(clamping: number)]
                    return try await node.useSession(hash, at: noon + 1, from: "192.0.2.1", until: noon + 100)
                }
                let session = Session(
                    hash: [UInt8(clamping: round), UInt8(clamping: number), isSecond ? 1 : 0],
                    email: Self.email(number),
                    formKey: [1],
                    createdAt: noon,
                    expiresAt: noon + 100
                )
                try await node.insertSession(session)
            }
        }
    }

    @Test("A send is put off by both nodes while devices of its users write to them")
    func schedules() async throws {
        let (campaign, id) = (CampaignID(rawValue: "sale"), TriggerID(rawValue: "schedule"))
        let users = (0..<Self.users).map { UserID(rawValue: "user-\($0)") }
        try await withTwoNodes { node in
            try await node.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            let due = PlannedTime.at(noon + 600)
            let trigger = Trigger(id: id, campaign: campaign, at: noon, due: due, until: due.latest + 3_600)
            let recipients = users.map { TriggerSend.Recipient($0) }
            _ = try await node.sendTriggers(TriggerSend(trigger, to: recipients, isScheduled: true))
        } _: { node, round, isSecond in
            // Each node has half of the users in its group, and all of them have the send.
            let half = Self.users / 2
            try await node.asOneGroup(half + 1) { place in
                guard place < half else {
                    let due = PlannedTime.at(noon + 700 + Double(round))
                    let until = noon + 100_000
                    #expect(try await node.rescheduleTrigger(id, of: campaign, due: due, until: until, at: noon))
                    return
                }
                let number = isSecond ? half + place : place
                // safe: one of the users
                let receipt = try await node.record([Self.event(round, number, isSecond)], of: users[number]).receipt
                #expect(receipt.accepted == 1)
            }
        }
    }

    @Test("Users are merged and others write, in any order")
    func merges() async throws {
        try await withTwoNodes { node in
            let webhook = Webhook(url: "https://example.com", secret: "s", types: [], createdAt: noon)
            try await node.saveWebhook(webhook, after: nil, at: noon, by: command)
        } _: { node, round, isSecond in
            let guests = (0..<Self.users).map { UserID(rawValue: "anonymous-\(round)-\($0)-\(isSecond)") }
            try await node.updateUsers(guests.map { UserUpdate(id: $0) }, at: noon)
            // One node records before it merges, and the other one after that.
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                guard number >= Self.users / 2 else {
                    let user = UserID(rawValue: "user-\(number)-\(isSecond)")
                    try await node.record([Self.event(round, number, isSecond)], of: user)
                    return
                }
                let identity = UserID(rawValue: "identity-\(round)-\(number)-\(isSecond)")
                // safe: one of the guests
                let merge = Identification(user: .id(guests[number]), identity: identity)
                #expect(try await node.identifyUsers([merge], at: noon) == [.done])
            }
        }
    }

    @Test("Merges of users who live in other databases are followed in any order")
    func followedMerges() async throws {
        try await withTwoNodes { node in
            _ = try await node.writer.write { session in
                try session.connection.execute(
                    """
                    INSERT INTO merged_logs (former_id, user_id)
                    SELECT 'former-' || r || '-' || n, 'user-' || r || '-' || n
                    FROM generate_series(0, \(Self.rounds - 1)) AS r, generate_series(0, \(Self.users - 1)) AS n
                    """
                )
            }
        } _: { node, round, isSecond in
            try await node.asOneGroup(Self.users) { place in
                let number = Self.order(isSecond)[place]
                let identity = UserID(rawValue: "identity-\(round)-\(number)")
                try await node.followMerge(of: UserID(rawValue: "user-\(round)-\(number)"), into: identity)
            }
        }
    }

    @Test("Users are deleted in any order")
    func deletions() async throws {
        try await withTwoNodes { node, round, isSecond in
            let users = Self.order(isSecond).map { UserID(rawValue: "gone-\(round)-\($0)") }
            try await node.updateUsers(users.map { UserUpdate(id: $0) }, at: noon)
            _ = try await node.deleteUsers(users.reversed().map { .id($0) }, at: noon, by: command)
        }
    }

    @Test("A user that a group did not name, and that another node has locked, is locked with the rest later")
    func unnamed() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.secretsKey = .keyring(SecretsKeyring([.random()]))
            let nodes = [
                try await PostgresCardStore.open(url: url, options: options),
                try await PostgresCardStore.open(url: url, options: options),
            ]
            try await nodes[0].updateUsers([UserUpdate(id: someone)], at: noon)
            let hold = HeldJob()
            async let holding: Void = nodes[0].writer.write([someone]) { _ in hold.wait() }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            async let version = nodes[1].writer.write { try $0.user(someone)?.version }
            // Another attempt waits for the row, as long as the first node has it.
            while nodes[1].traffic?.retries[.serialization] != 1 { await Task.yield() }
            hold.end.signal()
            try await holding
            #expect(try await version != nil)
            #expect(nodes[1].traffic?.retries[.serialization] == 1)
            for node in nodes { try await node.close() }
        }
    }
}
