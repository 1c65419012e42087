import Foundation

/// The tables, indexes and constraints that migrations create.
struct SchemaContents: Equatable {
    /// The number of constraints of a table.
    struct Constraints: Equatable {
        var primaryKeys = 0
        var references = 0
        var uniques = 0
    }

    /// An index that is no constraint's.
    struct Index: Equatable {
        let table: String
        /// The statement that creates it.
        let statement: String
    }

    /// The tables, columns and other parts that a database lacks.
    struct Lack: Equatable {
        /// The tables and constraints, as people call them.
        var parts: [String] = []
        /// The names of the indexes.
        var indexes: [String] = []

        /// All of it, as people call it.
        var names: [String] { parts + indexes.map { "the index \($0)" } }
    }

    /// The tables, with their constraints.
    private(set) var tables: [String: Constraints] = [:]
    /// The indexes, by their name.
    private(set) var indexes: [String: Index] = [:]
    /// The tables whose indexes can't be created beside writers.
    private var partitioned: Set<String> = []

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
        if words.starts(with: ["DROP", "INDEX"]), let name = words.dropFirst(2).first { indexes[name] = nil }
        if words.starts(with: ["ALTER", "TABLE"]), let name = words.dropFirst(2).first {
            dropReference(of: name, words.dropFirst(3))
        }
        guard words.first == "CREATE" else { return }
        if let place = words.firstIndex(of: "INDEX"), let name = words.dropFirst(place + 1).first {
            let text = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            indexes[name] = Index(table: words.dropFirst(place + 3).first ?? "", statement: text)
        } else if words.dropFirst().first == "TABLE", let name = words.dropFirst(2).first {
            var constraints = Constraints()
            constraints.primaryKeys = words.count { $0 == "PRIMARY" }
            constraints.references = words.count { $0 == "REFERENCES" }
            constraints.uniques = words.count { $0 == "UNIQUE" }
            tables[name] = constraints
            if words.contains("PARTITION") { partitioned.insert(name) }
        }
    }

    /// Takes note of a foreign key that a later version has no more, by the name that PostgreSQL gave it.
    private mutating func dropReference(of table: String, _ words: ArraySlice<String>) {
        guard words.starts(with: ["DROP", "CONSTRAINT"]), words.last?.hasSuffix("_fkey") == true else { return }
        tables[table]?.references -= 1
    }

    private mutating func forget(_ table: String) {
        tables[table] = nil
        indexes = indexes.filter { $0.value.table != table }
    }

    /// The names of the indexes that keep rows from being there twice.
    var uniqueIndexes: [String] {
        indexes.filter { $0.value.statement.hasPrefix("CREATE UNIQUE ") }.map(\.key).sorted()
    }

    /// Returns the statement that creates an index while servers write, as far as that can be.
    func creation(of index: String) -> String? {
        indexes[index].map { found in
            guard !partitioned.contains(found.table) else { return found.statement }
            return found.statement.replacingOccurrences(of: "INDEX \(index)", with: "INDEX CONCURRENTLY \(index)")
        }
    }

    /// Returns what isn't in the database.
    func missing(on connection: PostgresConnection) throws -> Lack {
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
        return Lack(parts: parts(missingIn: found), indexes: Set(indexes.keys).subtracting(names).sorted())
    }

    private func parts(missingIn found: [String: Constraints]) -> [String] {
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
