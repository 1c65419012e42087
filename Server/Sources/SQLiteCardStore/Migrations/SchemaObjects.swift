import GRDB

/// The tables, columns, indexes and triggers that a database of the present schema has.
enum SchemaObjects {
    /// One of them.
    struct Object: Hashable, Comparable {
        /// `table`, `column`, `index` or `trigger`.
        let kind: String
        /// Its name; that of a column begins with its table's.
        let name: String
        /// The statement that creates it, or `nil` for a column.
        let sql: String?

        var title: String { "\(kind) \(name)" }

        /// Whether it is a column, index or trigger of a table.
        func belongs(to table: Self) -> Bool {
            if kind == "column" { return name.hasPrefix(table.name + ".") }
            return [" ", "(", "\n"].contains { (sql ?? "").contains(" ON \(table.name)\($0)") }
        }

        /// The statement that creates it without spaces and quotation marks, of which those of SQLite for changed
        /// tables have others.
        var definition: String { (sql ?? "").filter { !$0.isWhitespace && $0 != "\"" } }

        static func == (a: Self, b: Self) -> Bool { (a.kind, a.name) == (b.kind, b.name) }
        static func < (a: Self, b: Self) -> Bool { (a.kind, a.name) < (b.kind, b.name) }
        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(name)
        }
    }

    /// The difference of a database from one of the present schema.
    struct Difference {
        /// The objects that it lacks, in order.
        let missing: [Object]
        /// Its triggers and indexes that are other ones than those of that name, with what creates the right ones, and
        /// triggers and views that the schema doesn't have, without: these may undo what is written, or show it as
        /// something else.
        let changed: [Object]

        /// The objects that it lacks, without those that belong to a table that is missing as a whole; tables first.
        var missingOnTheirOwn: [Object] {
            let tables = missing.filter { $0.kind == "table" }
            return tables
                + missing.filter { object in
                    object.kind != "table" && !tables.contains { object.belongs(to: $0) }
                }
        }
    }

    /// The objects of the present schema, which are found once.
    private static let present = Result { try made(by: Schema.migrations) }

    /// Returns what steps make of an empty database.
    private static func made(by steps: [any StoreMigration.Type]) throws -> Set<Object> {
        let queue = try DatabaseQueue()
        defer { try? queue.close() }
        return try queue.write { empty in
            for step in steps { try step.apply(to: empty) }
            return try all(in: empty)
        }
    }

    /// Compares a database with what steps make of an empty one; with the present schema where none are named.
    static func difference(
        of database: Database,
        from steps: [any StoreMigration.Type]? = nil
    ) throws -> Difference {
        let expected = try steps.map { try made(by: $0) } ?? present.get()
        let found = try all(in: database)
        let right = Dictionary(expected.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
        let changed = found.compactMap { object -> Object? in
            guard ["trigger", "index", "view"].contains(object.kind) else { return nil }
            guard let wanted = right[object.title] else {
                return object.kind == "index" ? nil : Object(kind: object.kind, name: object.name, sql: nil)
            }
            return object.definition == wanted.definition ? nil : wanted
        }
        return Difference(missing: expected.subtracting(found).sorted(), changed: changed.sorted())
    }

    /// Returns whether a database has what steps make of an empty one, and nothing else.
    static func areThose(of steps: [any StoreMigration.Type], in database: Database) throws -> Bool {
        let queue = try DatabaseQueue()
        defer { try? queue.close() }
        return try definitions(in: database)
            == queue.write { empty in
                for step in steps { try step.apply(to: empty) }
                return try definitions(in: empty)
            }
    }

    private static func definitions(in database: Database) throws -> [String: String] {
        let objects = try all(in: database).filter { $0.sql != nil && $0.name != "grdb_migrations" }
        return Dictionary(
            objects.map { ($0.title, $0.definition) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private static func all(in database: Database) throws -> Set<Object> {
        // SQLite reads the type in any case, and runs a trigger of any name: of its own, these are tables and indexes.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT lower(type) AS type, name, sql FROM sqlite_schema
                WHERE lower(type) NOT IN ('table', 'index') OR name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """
        )
        var objects = Set(rows.map { Object(kind: $0["type"], name: $0["name"], sql: $0["sql"]) })
        for table in objects where table.kind == "table" {
            let columns = try String.fetchAll(
                database,
                sql: "SELECT name FROM pragma_table_info(?)",
                arguments: [table.name]
            )
            objects.formUnion(columns.map { Object(kind: "column", name: "\(table.name).\($0)", sql: nil) })
        }
        return objects
    }
}
