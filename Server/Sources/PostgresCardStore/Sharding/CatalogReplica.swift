package import CardModel
import CardStore
import WireJSON

/// The part of the catalog that decides in every database on what events bring about: the settings, the campaigns whose
/// conversions count, the controls that day totals leave out, and the broadcasts that may still give a card.
package struct CatalogReplica: Sendable {
    /// The name of the home's history, in which the generation and the versions of campaigns were given out.
    package let history: UInt64
    /// The generation of the home's catalog.
    package let generation: CatalogGeneration
    /// The settings, as the home's row has them.
    fileprivate let settings: String
    fileprivate let campaigns: TableRows
    fileprivate let controls: TableRows
    fileprivate let broadcasts: TableRows
    /// The home's time, at which the broadcasts were alive.
    fileprivate let time: UnixTime
}

extension PostgresCardStore {
    /// Reads what the home's catalog has for the other databases.
    package func catalogReplica() async throws -> CatalogReplica {
        let (now, currentEpoch) = (now(), currentEpoch)
        return try await snapshot { connection in
            let columns = try TableRows.columns(of: ["campaigns", "controls", "broadcasts"], on: connection)
            func read(
                _ table: String,
                where condition: String,
                _ values: [any PostgresEncodable] = []
            ) throws -> TableRows {
                let own = columns[table, default: []]
                let rows = try connection.rows(of: [TableRows.query(table, own, where: condition, values)])
                return try TableRows(table, own, rows.first ?? [])
            }
            return CatalogReplica(
                history: currentEpoch.value(in: connection.history),
                generation: try StoreRow.generation(connection),
                settings: try StoreRow.settingsText(connection),
                campaigns: try read(
                    "campaigns",
                    where: "launched_at IS NOT NULL AND status <> 'archived' AND has_conversions"
                ),
                controls: try read(
                    "controls",
                    where: "campaign_id IN (SELECT id FROM campaigns WHERE launched_at IS NOT NULL)"
                ),
                broadcasts: try read("broadcasts", where: "until > $1", [now]),
                time: now
            )
        }
    }

    /// Reads the generation of the home's catalog that this database has, or -1 for none.
    package func replicatedGeneration() async throws -> CatalogGeneration {
        try await read { try $0.row("SELECT replicated FROM store WHERE id = 1")?.integer("replicated") ?? -1 }
    }

    /// Forgets which generation of the home's catalog this database has, as long as it is a certain one.
    ///
    /// The next catalog is then taken over whatever its generation is, and the versions of its campaigns.
    package func forgetReplica(_ generation: CatalogGeneration) async throws {
        _ = try await writer.writeAlone(scope: .nobody) { session in
            try session.connection.execute(
                "UPDATE store SET replicated = -1, replicated_of = NULL WHERE id = 1 AND replicated = $1",
                [generation]
            )
        }
    }

    /// Takes over what the home's catalog has for this database, unless it has that or something newer of the same
    /// history.
    ///
    /// A home that was restored gives out generations and versions once more, for other contents. So where what this
    /// database has is of another history, they say nothing, and everything is replaced.
    package func replicate(_ source: CatalogReplica) async throws {
        try await writer.writeAlone(scope: .nobody) { try $0.replicate(source) }
    }
}

extension WriteSession {
    /// Writes what differs, under the next generation of this database's own.
    fileprivate func replicate(_ source: CatalogReplica) throws {
        let row = try connection.row(
            "SELECT replicated, replicated_of, settings FROM store WHERE id = 1 FOR NO KEY UPDATE"
        )
        guard let row else { throw StoreError.unreadable("no row of its own") }
        let history = Int64(bitPattern: source.history)
        let isContinued = try row.optionalInteger("replicated_of") == history
        guard try !isContinued || row.integer("replicated") < source.generation else { return }
        var isChanged = try !row.text("settings").hasSameBytes(as: source.settings)
        let before = connection.writes
        try replicate(campaigns: source.campaigns, isContinued: isContinued)
        try replicate(controls: source.controls)
        try replicate(broadcasts: source.broadcasts, at: source.time)
        if connection.writes != before { isChanged = true }
        try connection.execute(
            """
            UPDATE store SET settings = $1, replicated = $2, replicated_of = $3, generation = generation + $4
            WHERE id = 1
            """,
            [source.settings, source.generation, history, isChanged ? 1 : 0]
        )
        forgetStore()
        changes.readsSettings = true
        changes.readsConversionRules = true
    }

    /// A campaign of the same version is the same campaign, as long as the history goes on in which it was given out.
    private func replicate(campaigns: TableRows, isContinued: Bool) throws {
        let own = try connection.rows("SELECT id, version FROM campaigns").map { row in
            (id: ByteString(try row.text("id")), version: try row.integer("version"))
        }
        let known = Dictionary(own.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
        let new = try Set(campaigns.named.map { ByteString(try $0.text("id")) })
        let gone = own.map(\.id).filter { !new.contains($0) }
        if !gone.isEmpty {
            try connection.execute("DELETE FROM campaigns WHERE id = ANY ($1)", [gone.map(\.text)])
        }
        try campaigns.filter { row in
            guard isContinued else { return true }
            let version = known[ByteString(try row.text("id"))]
            return try row.integer("version") != version
        }.insert(into: connection, replacing: ["id"])
    }

    private func replicate(controls: TableRows) throws {
        func key(_ row: some StoredRow) throws -> [ByteString] {
            [ByteString(try row.text("campaign_id")), ByteString(try row.text("variant_id"))]
        }
        let own = try Set(connection.rows("SELECT campaign_id, variant_id FROM controls").map(key))
        let new = try Set(controls.named.map(key))
        // safe: keys of two parts
        let gone = own.subtracting(new).map { (campaign: $0[0].text, variant: $0[1].text) }
        if !gone.isEmpty {
            try connection.execute(
                """
                DELETE FROM controls WHERE (campaign_id, variant_id) IN (
                    SELECT campaign_id, variant_id FROM unnest($1::TEXT[], $2::TEXT[]) AS g (campaign_id, variant_id)
                )
                """,
                [gone.map(\.campaign), gone.map(\.variant)]
            )
        }
        try controls.filter { try !own.contains(key($0)) }.insert(into: connection)
    }

    /// Broadcasts that are over stay until they are pruned, as they do at the home.
    private func replicate(broadcasts: TableRows, at time: UnixTime) throws {
        let names = broadcasts.columns.map { PostgresTransfer.quoted($0.name) }.joined(separator: ", ")
        let rows = try connection.rows("SELECT \(names) FROM broadcasts WHERE until > $1", [time])
        let own = try TableRows(broadcasts.table, broadcasts.columns, rows)
        let (known, new) = (Set(own.rows), Set(broadcasts.rows))
        guard known != new else { return }
        // What is another one by now is inserted again.
        for row in own.subtracting(new).named {
            try connection.execute(
                "DELETE FROM broadcasts WHERE campaign_id = $1 AND trigger_id = $2",
                [try row.text("campaign_id"), try row.text("trigger_id")]
            )
        }
        try broadcasts.subtracting(known).insert(into: connection, replacing: ["campaign_id", "trigger_id"])
    }
}
