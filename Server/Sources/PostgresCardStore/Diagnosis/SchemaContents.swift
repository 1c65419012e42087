/// The tables, indexes and constraints that migrations create.
struct SchemaContents: Equatable {
    /// How many constraints a table has.
    struct Constraints: Equatable {
        var primaryKeys = 0
        var references = 0
        var uniques = 0
    }

    /// The tables, with their constraints.
    private(set) var tables: [String: Constraints] = [:]
    /// The indexes that are no constraint's, with their tables.
    private(set) var indexes: [String: String] = [:]

    /// Reads the statements of migrations.
    static func expected(of migrations: [SchemaMigration]) -> SchemaContents {
        var contents = SchemaContents()
        let statements = migrations.flatMap(\.statements).flatMap { $0.split(separator: ";") }
        for statement in statements { contents.read(statement) }
        return contents
    }

    private mutating func read(_ statement: Substring) {
        let words = statement.split { $0.isWhitespace || "(),".contains($0) }.map(String.init)
        if words.starts(with: ["DROP", "TABLE"]), let name = words.dropFirst(2).first { forget(name) }
        guard words.first == "CREATE" else { return }
        if let place = words.firstIndex(of: "INDEX"), let name = words.dropFirst(place + 1).first {
            indexes[name] = words.dropFirst(place + 3).first ?? ""
        } else if words.dropFirst().first == "TABLE", let name = words.dropFirst(2).first {
            var constraints = Constraints()
            constraints.primaryKeys = words.count { $0 == "PRIMARY" }
            constraints.references = words.count { $0 == "REFERENCES" }
            constraints.uniques = words.count { $0 == "UNIQUE" }
            tables[name] = constraints
        }
    }

    private mutating func forget(_ table: String) {
        tables[table] = nil
        indexes = indexes.filter { $0.value != table }
    }

    /// Returns what isn't in the database.
    func missing(on connection: PostgresConnection) throws -> [String] {
        let rows = try connection.rows(
            """
            SELECT c.relname::TEXT AS name, c.relkind::TEXT AS kind,
                count(*) FILTER (WHERE r.contype = 'p') AS primary_keys,
                count(*) FILTER (WHERE r.contype = 'f') AS foreign_keys,
                count(*) FILTER (WHERE r.contype = 'u') AS uniques
            FROM pg_class c LEFT JOIN pg_constraint r ON r.conrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'i', 'I')
            GROUP BY c.oid, c.relname, c.relkind
            """
        )
        var (found, names): ([String: Constraints], Set<String>) = ([:], [])
        for row in rows {
            let name = try row.text("name")
            guard try ["r", "p"].contains(row.text("kind")) else {
                names.insert(name)
                continue
            }
            var constraints = Constraints()
            constraints.primaryKeys = try row.count("primary_keys")
            constraints.references = try row.count("foreign_keys")
            constraints.uniques = try row.count("uniques")
            found[name] = constraints
        }
        return lack(of: found) + Set(indexes.keys).subtracting(names).sorted().map { "the index \($0)" }
    }

    private func lack(of found: [String: Constraints]) -> [String] {
        tables.sorted { $0.key < $1.key }.flatMap { name, expected -> [String] in
            guard let own = found[name] else { return ["the table \(name)"] }
            return [
                own.primaryKeys < expected.primaryKeys ? "the primary key of \(name)" : nil,
                own.references < expected.references ? "a foreign key of \(name)" : nil,
                own.uniques < expected.uniques ? "a unique constraint of \(name)" : nil,
            ].compactMap(\.self)
        }
    }
}
