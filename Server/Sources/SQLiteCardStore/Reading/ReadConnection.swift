import CardModel
import CardStore
import GRDBSQLite

/// One connection that only reads, with the hot statements prepared.
///
/// Sendable without a check because one caller at a time has it: whoever took it out of `ReadConnections`.
final class ReadConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let revisionStatement: PreparedStatement
    private let stateStatement: PreparedStatement
    private let historiesStatement: PreparedStatement
    private let dueTriggersStatement: PreparedStatement
    private let laterTriggersStatement: PreparedStatement
    private let testCardsStatement: PreparedStatement
    /// Prepared when a list of users first asks for it: few connections ever read one.
    private var profileStatement: PreparedStatement?

    init(path: String, cacheKiB: Int) throws(SQLiteError) {
        let handle = try SQLiteHandle.open(path, cacheKiB: cacheKiB)
        do throws(SQLiteError) {
            revisionStatement = try PreparedStatement(SQL.userRevision, on: handle)
            stateStatement = try PreparedStatement(SQL.state, on: handle)
            historiesStatement = try PreparedStatement(SQL.histories, on: handle)
            dueTriggersStatement = try PreparedStatement(SQL.dueTriggers, on: handle)
            laterTriggersStatement = try PreparedStatement(SQL.laterTriggers, on: handle)
            testCardsStatement = try PreparedStatement(SQL.testCards, on: handle)
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
    }

    // `close_v2` waits for the statements, which are let go of just after this.
    deinit { sqlite3_close_v2(handle) }

    func revision(of user: UserID) throws -> UserRevision? {
        try revisionStatement.use { statement in
            statement.bind(1, user.rawValue)
            guard try statement.step() else { return nil }
            return UserRevision(
                version: statement.integer(0),
                device: statement.integer(1),
                lastSeenAt: statement.double(2),
                createdAt: statement.double(3)
            )
        }
    }

    /// Reads a user's own row, without the cards and all else that the user has.
    func profile(of user: UserID) throws -> UserProfile? {
        let statement = try profileStatement ?? PreparedStatement(SQL.oneUser, on: handle)
        profileStatement = statement
        return try statement.use { statement in
            statement.bind(1, user.rawValue)
            guard try statement.step() else { return nil }
            var profile = UserProfile(id: user, createdAt: statement.double(1))
            profile.firstSeenAt = statement.optionalDouble(2)
            profile.lastSeenAt = statement.optionalDouble(3)
            profile.device = statement.device(from: 4)
            profile.custom = try StoredAttributes.custom(statement, 7)
            profile.standard = try StoredAttributes.standard(statement, 8, &profile.claimed)
            return profile
        }
    }

    /// Reads a user, all of it as it was at one moment.
    ///
    /// The first statement stands on its first row while the others run, so all of them are parts of one transaction:
    /// beginning another would cost as much as most of what is read.
    func state(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime = .infinity
    ) throws -> UserState? {
        try stateStatement.use { statement in
            statement.bind(1, user.rawValue)
            guard try statement.step() else { return nil }
            var state = UserState(profile: try statement.profile(of: user), version: statement.integer(0))
            if statement.bool(27) { state.triggers = try triggers(of: user, dueBy: time) }
            if !parts.isDisjoint(with: .all) { state.history = try history(of: user, parts) }
            if statement.bool(26) { state.testCards = try testCards(of: user) }
            state.deliveries = try statement.deliveries()
            return state
        }
    }

    private func triggers(of user: UserID, dueBy time: UnixTime) throws -> [Trigger] {
        var triggers: [Trigger] = []
        func read(_ statement: PreparedStatement) throws {
            statement.bind(1, user.rawValue)
            statement.bind(2, time)
            statement.bind(3, PlannedTime.furthestAhead)
            while try statement.step() { triggers.append(statement.trigger()) }
        }
        try dueTriggersStatement.use(read)
        if time < .infinity { try laterTriggersStatement.use(read) }
        return triggers
    }

    private func testCards(of user: UserID) throws -> [TestCard] {
        try testCardsStatement.use { statement in
            statement.bind(1, user.rawValue)
            var cards: [TestCard] = []
            while try statement.step() { cards.append(statement.testCard()) }
            return cards
        }
    }

    func history(of user: UserID, _ parts: UserHistory.Parts) throws -> UserHistory {
        try historiesStatement.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, Int64(parts.rawValue))
            return try statement.userHistory()
        }
    }
}

extension PreparedStatement {
    /// Reads a row of `SQL.dueTriggers` or `SQL.laterTriggers`.
    fileprivate func trigger() -> Trigger {
        Trigger(
            id: TriggerID(rawValue: text(0)),
            campaign: CampaignID(rawValue: text(1)),
            at: double(2),
            due: PlannedTime(double(3), isLocal: bool(4)),
            until: double(5),
            properties: bytes(6)
        )
    }
}

extension PreparedStatement {
    /// Reads a row of `SQL.testCards`.
    fileprivate func testCard() -> TestCard {
        var test = TestCard(
            card: CardID(rawValue: text(0)),
            campaign: CampaignID(rawValue: text(1)),
            variant: VariantID(rawValue: text(2)),
            language: optionalText(3),
            members: bytes(4) ?? [],
            isPinned: bool(5),
            priority: Int(clamping: integer(6)),
            sentAt: double(7),
            expiresAt: double(8)
        )
        test.marks = TestCard.Marks(isViewed: bool(9), isClicked: bool(10), isDismissed: bool(11))
        test.isReplaced = bool(12)
        test.changedAt = integer(13)
        return test
    }
}

extension PreparedStatement {
    /// Reads the user of a row of `SQL.state`.
    fileprivate func profile(of user: UserID) throws -> UserProfile {
        var profile = UserProfile(id: user, createdAt: double(1))
        profile.firstSeenAt = optionalDouble(22)
        profile.lastSeenAt = optionalDouble(2)
        profile.device = device(from: 3)
        profile.custom = try StoredAttributes.custom(self, 6)
        profile.standard = try StoredAttributes.standard(self, 7, &profile.claimed)
        return profile
    }

    /// Reads the cards from this row of `SQL.state` on, the oldest first.
    fileprivate func deliveries() throws(SQLiteError) -> [Delivery] {
        guard !isNull(8) else { return [] }
        var deliveries: [Delivery] = []
        var positions: [Int64] = []
        deliveries.reserveCapacity(16)
        positions.reserveCapacity(16)
        var isSorted = true
        repeat {
            let position = integer(13)
            if let last = positions.last, last > position { isSorted = false }
            positions.append(position)
            deliveries.append(delivery())
        } while try step()
        // Cards come by id. Ids that carry their time are in order already, and sorting here spares SQLite doing it.
        if isSorted { return deliveries }
        return deliveries.indices.sorted { positions[$0] < positions[$1] }.map { deliveries[$0] }
    }

    private func delivery() -> Delivery {
        var delivery = Delivery(
            card: CardID(rawValue: text(8)),
            campaign: CampaignID(rawValue: text(9)),
            ordinal: Int(integer(10)),
            variant: VariantID(rawValue: text(11)),
            deliveredAt: double(12),
            changedAt: integer(14)
        )
        delivery.isViewed = bool(15)
        delivery.isClicked = bool(16)
        delivery.isDismissed = bool(17)
        delivery.end = optionalText(18).flatMap(Delivery.End.init)
        delivery.lastViewedAt = optionalDouble(19)
        delivery.lastClickedAt = optionalDouble(20)
        delivery.dismissedAt = optionalDouble(21)
        delivery.origin = DeliveryOrigin(
            trigger: optionalText(23).map(TriggerID.init),
            properties: bytes(24),
            rendered: bytes(25)
        )
        return delivery
    }
}
