import Foundation

@testable import PostgresCardStore

/// What `docs/examples/citus.sql` says, as it follows from the tables of a database.
struct CitusScript {
    /// Where the rows of a table are.
    enum Placement: Equatable {
        /// Each on the server of its user, which a column names.
        case distributed(by: String)
        /// All of them on every server; a foreign key to users isn't possible then.
        case reference(without: String?)
        /// On the coordinator.
        case local
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../docs/examples/citus.sql").standardized

    let placements: [String: Placement]

    /// Finds the placements: a user's rows are together, where no index is to be unique over all users.
    init(of connection: PostgresConnection) throws {
        let rows = try connection.rows(Self.tables)
        var placements: [String: Placement] = [:]
        for row in rows {
            let name = try row.text("name")
            let isKeyed = try row.flag("is_keyed")
            if let key = try row.optionalText("key"), isKeyed {
                placements[name] = .distributed(by: key)
            } else if let constraint = try row.optionalText("constraint_name") {
                placements[name] = .reference(without: constraint)
            } else if name == "merged_logs" {
                // Whose the events are may be in another database of Placard's own, so there is no foreign key.
                placements[name] = .reference(without: nil)
            } else {
                placements[name] = .local
            }
        }
        self.placements = placements
    }

    private static let tables = """
        SELECT t.relname AS name, k.attname AS key, k.attname IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM pg_index AS i WHERE i.indrelid = t.oid AND i.indisunique AND k.attnum <> ALL (i.indkey)
        ) AS is_keyed, (
            SELECT f.conname FROM pg_constraint AS f
            WHERE f.conrelid = t.oid AND f.contype = 'f' AND f.confrelid = 'users'::regclass
        ) AS constraint_name
        FROM pg_class AS t LEFT JOIN pg_attribute AS k ON k.attrelid = t.oid
            AND k.attname = CASE t.relname WHEN 'users' THEN 'id' ELSE 'user_id' END
        WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
        ORDER BY t.relname <> 'users', t.relname
        """

    /// The statements.
    var text: String {
        // Other tables refer to users, who come first.
        let tables = placements.sorted { $1.key != "users" && ($0.key == "users" || $0.key < $1.key) }
        var (constraints, distributed, references): ([String], [String], [String]) = ([], [], [])
        for (name, placement) in tables {
            switch placement {
            case .distributed(let key):
                let group = name == "users" ? "" : ", colocate_with => 'users'"
                distributed.append("SELECT create_distributed_table('\(name)', '\(key)'\(group));")
            case .reference(let constraint):
                if let constraint { constraints.append("ALTER TABLE \(name) DROP CONSTRAINT \(constraint);") }
                references.append("SELECT create_reference_table('\(name)');")
            case .local: break
            }
        }
        return """
            -- Spreads Placard's tables over a Citus cluster by their user, in an empty database that was migrated.
            -- Read "Citus" in docs/scale.md first: Placard doesn't run on Citus yet. CitusTests makes this file.

            BEGIN;

            -- Unique over all users, and so on every server, from which no foreign key may lead to one user's server.
            \(constraints.joined(separator: "\n"))

            -- All rows of a user are on one server.
            \(distributed.joined(separator: "\n"))

            \(references.joined(separator: "\n"))

            -- All other tables stay on the coordinator.

            COMMIT;

            """
    }
}
