import CardModel
import CardStore

/// A user that the group didn't name, and that another node has locked.
struct BusyUserError: Error {
    let user: UserID
}

/// The locks of a group's users, so that no two nodes wait for each other in a circle.
///
/// A group first locks the rows of all users that it is about, in the order of their ids, and then what isn't there
/// yet, in the order of numbers. After that it waits for no user any more: one that it didn't know of is locked only
/// where nobody has them, and otherwise the group begins again.
extension WriteSession {
    private static let lockUsers = """
        SELECT id, version, locale, time_zone, app_version FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE
        """

    /// The number of locks for what isn't there yet, of which few are needed: the server has room for some thousands.
    private static let stripes: UInt64 = 512
    /// The kind of the locks, among those of two numbers: `PLCU`.
    private static let kind: Int64 = 0x504C_4355

    private static let lockStripes = """
        SELECT pg_advisory_xact_lock($1::INTEGER, k::INTEGER) IS NULL AS is_locked FROM unnest($2::BIGINT[]) AS k
        """

    /// Returns the statement that locks users.
    static func lock(_ users: Set<UserID>) -> PostgresQuery { PostgresQuery(lockUsers, [users.map(\.rawValue)]) }

    /// Notes the rows of ``lock(_:)``.
    func note(locked rows: some Sequence<PostgresRow>) throws {
        for row in rows {
            let user = KnownUser(version: try row.integer("version"), device: try row.device())
            locked[UserID(rawValue: try row.text("id"))] = user
        }
    }

    /// Keeps other nodes from creating what the group may create.
    ///
    /// Where another one has done so in the meantime, the group begins again and locks it with the rest. Otherwise the
    /// users are noted, so that nobody has to ask for one of them again.
    func lockAbsent(_ users: Set<UserID>, _ names: [String]) throws {
        let texts = users.map { ("user", $0.rawValue) } + names.map { ("name", $0) }
        guard !texts.isEmpty else { return }
        let stripes = Set(texts.map { Int64(StableHash.of($0.0, $0.1) % Self.stripes) }).sorted()
        let hashes = Dictionary(users.map { (pseudonyms.hash(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        let found = try connection.rows(of: [
            PostgresQuery(Self.lockStripes, [Self.kind, stripes]),
            PostgresQuery("SELECT 1 AS found FROM users WHERE id = ANY ($1) LIMIT 1", [users.map(\.rawValue)]),
            formerUsers(among: Array(hashes.keys)),
        ])
        // safe: a list for each statement
        let (created, former) = (found[1], found[2])
        guard created.isEmpty else { throw PostgresError(state: "40001") }
        for user in users { absent[user] = false }
        for row in former {
            if let user = hashes[try row.bytes("hash")] { absent[user] = true }
        }
    }

    /// Returns the query for those of some keyed hashes that are of users who were deleted, or merged into others: of
    /// this database or of another one.
    func formerUsers(among hashes: [[UInt8]]) -> PostgresQuery {
        let tables = ["erased_users", "merged_users"] + (isSharded ? ["departed_users"] : [])
        let parts = tables.map { "SELECT hash FROM \($0) WHERE hash = ANY ($1)" }
        return PostgresQuery(parts.joined(separator: " UNION ALL "), [hashes])
    }
}
