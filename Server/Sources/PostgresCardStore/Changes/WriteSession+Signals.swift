import CardModel
import CardStore

extension WriteSession {
    /// More users at once are told of as ``StoreChange/anything``, which makes every open app sync.
    static let signalLimit = 20_000
    /// A node that was away for so many changes is told that anything may have changed.
    private static let signalsKept: Int64 = 50_000

    /// Leaves for the other nodes what the group has changed, in its own transaction.
    ///
    /// A slot's sequence is in the order of the commits, since its row stays locked until then.
    func flushSignals() throws {
        guard changes.catalog || !changes.users.isEmpty else { return }
        let users = changes.users.sorted { $0.key < $1.key }
        let isListed = users.count <= Self.signalLimit
        var rows = (isListed ? users : []).map { user, device in
            (user: user.rawValue, device: device, isRemoved: changes.removed.contains(user))
        }
        // Rows say whose change it was, which the counts of a slot don't: another process may have had it before.
        if changes.catalog { rows.append((SignalListener.notUser, nil, false)) }
        if !isListed { rows.append((SignalListener.notUser, nil, true)) }
        // Fewer rows than changes tell of changes that aren't listed.
        let count = isListed ? rows.count : users.count + rows.count
        connection.later(
            """
            WITH s AS (
                UPDATE signals SET catalog_changes = catalog_changes + $2, user_changes = user_changes + $3
                WHERE slot = $1 RETURNING user_changes
            )
            INSERT INTO user_signals (slot, sequence, writer, user_id, device, removed, at)
            SELECT $1, s.user_changes - $3 + u.place, $4, u.user_id, u.device, u.removed, $8
            FROM s, unnest($5::TEXT[], $6::TEXT[], $7::BOOLEAN[]) WITH ORDINALITY
                AS u (user_id, device, removed, place)
            """,
            [
                slot, changes.catalog ? 1 : 0, count, environment.writer, rows.map(\.user), rows.map(\.device),
                rows.map(\.isRemoved), now(),
            ]
        )
        try pruneSignals()
        if isUrgent { connection.later("SELECT pg_notify('\(SignalListener.channel)', '') IS NULL AS sent") }
    }

    /// Whether other nodes are woken: what is no device's own doing, such as a launch.
    ///
    /// A notification takes a lock that all commits share, so the many small changes by devices wait for the next look.
    private var isUrgent: Bool { changes.catalog || changes.users.contains { $0.value == nil } }

    private func pruneSignals() throws {
        // Once in a while: what is left over harms nothing.
        guard Int.random(in: 0..<100) == 0 else { return }
        connection.later(
            """
            DELETE FROM user_signals WHERE slot = $1
                AND sequence <= (SELECT user_changes FROM signals WHERE slot = $1) - $2
            """,
            [slot, Self.signalsKept]
        )
    }
}
