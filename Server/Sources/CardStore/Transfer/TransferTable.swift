/// A table whose rows are copied from one store to another.
package struct TransferTable: Sendable, Hashable {
    /// A column of a table.
    package struct Column: Sendable, Hashable {
        /// The kind of value in a column.
        package enum ColumnKind: Sendable, Hashable {
            /// Whole numbers.
            case integer
            /// True or false.
            case flag
            /// Numbers.
            case real
            /// Texts.
            case text
            /// Bytes.
            case bytes
            /// Amounts of money, which are texts where they are copied.
            case amount
        }

        /// The name.
        package let name: String
        /// The kind of its values.
        package let kind: ColumnKind

        /// Creates a column.
        package init(_ name: String, _ kind: ColumnKind) { (self.name, self.kind) = (name, kind) }
    }

    /// The name.
    package let name: String
    /// The columns that are copied, in the order of their names.
    package let columns: [Column]
    /// The columns of the primary key, in its order.
    package let key: [String]

    /// Creates a table.
    package init(_ name: String, columns: [Column], key: [String]) {
        self.name = name
        self.columns = columns.sorted { $0.name < $1.name }
        self.key = key
    }

    /// Whether a new store has the table's only row already, which is replaced.
    package var isReplaced: Bool { name == "audit_chain" }

    /// Returns the key of a row.
    package func key(of row: [TransferValue]) -> [TransferValue] {
        key.compactMap { name in
            columns.firstIndex { $0.name == name }.flatMap { row.indices.contains($0) ? row[$0] : nil }
        }
    }

    /// Returns tables in an order in which those that others refer to come first.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - references: The names of the tables that a table refers to, by its name.
    /// - Returns: The same tables.
    package static func sorted(_ tables: [TransferTable], _ references: [String: Set<String>]) -> [TransferTable] {
        var rest = tables.sorted { $0.name < $1.name }
        var done: [TransferTable] = []
        while !rest.isEmpty {
            let names = Set(rest.map(\.name))
            let next = rest.filter { table in
                references[table.name, default: []].subtracting([table.name]).isDisjoint(with: names)
            }
            // Tables that refer to each other in a circle come last, in the order of their names.
            guard !next.isEmpty else { return done + rest }
            done += next
            rest.removeAll { table in next.contains { $0.name == table.name } }
        }
        return done
    }
}
