import CardModel
import CardStore
import GRDBSQLite
import OrderedCollections
import WireJSON

/// Asks many users whether audiences mean them, reading no more of each than it asks for.
struct UserScan: ReachScan {
    private let connection: OpaquePointer
    private let question: AudienceQuestion
    private let now: UnixTime
    private let workspaceZone: String
    /// The number of users that are put in order at a time: a few megabytes of them.
    private static let batchSize = 10_000

    init(on connection: OpaquePointer, asking question: AudienceQuestion, at now: UnixTime, workspaceZone: String) {
        self.connection = connection
        self.question = question
        self.now = now
        self.workspaceZone = workspaceZone
    }

    func countAll() throws -> (found: Int64, asked: Int64) {
        try count(PreparedStatement(SQL.everyUser, on: connection))
    }

    func countSample(below rank: Int64) throws -> (found: Int64, asked: Int64) {
        let statement = try PreparedStatement(SQL.sampledUsers, on: connection)
        statement.bind(1, rank)
        return try count(statement)
    }

    func count(among candidates: Set<UserID>) throws -> Int64 {
        let statement = try PreparedStatement(SQL.oneUser, on: connection)
        var found: Int64 = 0
        for user in candidates {
            // safe: counts users
            found += try statement.use { statement in
                statement.bind(1, user.rawValue)
                return try count(statement).found
            }
        }
        return found
    }

    private func count(_ users: PreparedStatement) throws -> (found: Int64, asked: Int64) {
        let others = try OtherTables(question.needs, on: connection)
        var (found, asked): (Int64, Int64) = (0, 0)
        var batch: [UserProfile] = []
        batch.reserveCapacity(others == nil ? 1 : Self.batchSize)
        func ask() throws {
            // In the order in which the other tables have them, so that neighbours are read once.
            batch.sort { $0.id < $1.id }
            for profile in batch {
                var facts = UserFacts(UserState(profile: profile), at: now, workspaceZone: workspaceZone)
                guard try isReadable({ try others?.read(into: &facts) }) else { continue }
                asked += 1
                if try question.means(facts) { found += 1 }
            }
            batch.removeAll(keepingCapacity: true)
        }
        while try users.step() {
            try isReadable { batch.append(try profile(users)) }
            if others == nil || batch.count == Self.batchSize { try ask() }
        }
        try ask()
        return (found, asked)
    }

    /// Reads something of one user; returns whether it could be read.
    ///
    /// One whose rows are damaged keeps nobody from the others.
    @discardableResult
    private func isReadable(_ read: () throws -> Void) throws -> Bool {
        do {
            try read()
            return true
        } catch let error as StoreError where error.code == .corrupt {
            return false
        }
    }

    private func profile(_ row: PreparedStatement) throws -> UserProfile {
        var profile = UserProfile(id: UserID(rawValue: row.text(0)), createdAt: row.double(1))
        profile.firstSeenAt = row.optionalDouble(2)
        profile.lastSeenAt = row.optionalDouble(3)
        profile.device = row.device(from: 4)
        if !question.needs.custom.isEmpty { profile.custom = try row.members(7, named: question.needs.custom) }
        if question.needs.standard { profile.standard = try StoredAttributes.standard(row, 8) }
        return profile
    }
}

/// The values that are known of users beside their own row.
private struct OtherTables {
    private let histories: PreparedStatement?
    private let contacts: PreparedStatement?

    /// Prepares to read what is needed and no more, or returns `nil` where there is nothing to read.
    init?(_ needs: AudienceNeeds, on connection: OpaquePointer) throws {
        guard !needs.parts.isEmpty else { return nil }
        func prepare(_ sql: String, _ names: [String], from index: Int32) throws -> PreparedStatement {
            let statement = try PreparedStatement(sql, on: connection)
            // safe: names of one audience
            for (offset, name) in names.enumerated() { statement.bind(index + Int32(offset), name) }
            return statement
        }
        let (events, campaigns) = (needs.events.sorted().map(\.text), needs.campaigns.sorted().map(\.rawValue))
        histories =
            needs.parts.isDisjoint(with: .all)
            ? nil : try prepare(SQL.histories(events: events.count), events, from: 3)
        histories?.bind(2, Int64(needs.parts.rawValue))
        contacts =
            needs.parts.contains(.contacts)
            ? try prepare(SQL.contacts(campaigns: campaigns.count), campaigns, from: 2) : nil
    }

    func read(into facts: inout UserFacts) throws {
        let user = facts.profile.id.rawValue
        if let histories {
            facts.history = try histories.use { statement in
                statement.bind(1, user)
                return try statement.userHistory()
            }
        }
        if let contacts {
            facts.deliveries = try contacts.use { statement in
                statement.bind(1, user)
                return try statement.contacts()
            }
        }
    }
}

extension SQL {
    private static let scanned = """
        id, created_at, first_seen_at, last_seen_at, locale, time_zone, app_version, custom, standard FROM users
        """
    static let everyUser = "SELECT \(scanned)"
    static let oneUser = "SELECT \(scanned) WHERE id = ?1"

    /// All that is read is in the index, so the sample lies in one piece.
    static let sampledUsers = """
        SELECT \(scanned) INDEXED BY users_sample WHERE sample_rank < \(SampleRank.kept) AND sample_rank < ?1
        """

    /// The parts of a user's history that the bits of `?2` name; of the custom events, those whose names follow.
    static func histories(events: Int) -> String {
        "\(histories) AND (part <> \(UserHistory.Parts.events.rawValue) OR name IN (\(places(events, from: 3))))"
    }

    /// A user's cards of the campaigns that follow.
    static func contacts(campaigns: Int) -> String {
        """
        SELECT campaign_id, variant_id, delivered_at, viewed, clicked, dismissed, viewed_at, clicked_at, dismissed_at
        FROM deliveries WHERE user_id = ?1 AND campaign_id IN (\(places(campaigns, from: 2)))
        """
    }

    private static func places(_ count: Int, from index: Int) -> String {
        // safe: counts of names
        (index..<index + count).map { "?\($0)" }.joined(separator: ", ")
    }
}

extension PreparedStatement {
    /// Reads what audiences ask of cards from the rows of `SQL.contacts`.
    fileprivate func contacts() throws -> [Delivery] {
        var deliveries: [Delivery] = []
        while try step() {
            var delivery = Delivery(
                card: CardID(rawValue: ""),
                campaign: CampaignID(rawValue: text(0)),
                ordinal: 0,
                variant: VariantID(rawValue: text(1)),
                deliveredAt: double(2)
            )
            delivery.isViewed = bool(3)
            delivery.isClicked = bool(4)
            delivery.isDismissed = bool(5)
            delivery.lastViewedAt = optionalDouble(6)
            delivery.lastClickedAt = optionalDouble(7)
            delivery.dismissedAt = optionalDouble(8)
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// Reads the members of those names from a JSON object, passing over all others; none for NULL.
    fileprivate func members(_ column: Int32, named names: Set<ByteString>) throws -> StoredAttributes.Custom {
        try withText(column) { try StoredAttributes.custom($0, named: names) } ?? [:]
    }
}
