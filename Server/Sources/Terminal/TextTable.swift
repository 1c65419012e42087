/// Rows of cells under a heading, aligned for a terminal.
package struct TextTable {
    /// A column.
    package struct Column {
        let title: String
        let isNumber: Bool

        /// Makes a column of text.
        package static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
        /// Makes a column of numbers, which stand at the right.
        package static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Creates an empty table.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; missing cells are empty.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { $0 < cells.count ? cells[$0].printableLine : "" })
    }

    /// The heading and the rows, without spaces at the end.
    package var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        return all.map { row in
            let cells = columns.indices.map { column in
                columns[column].isNumber
                    ? row[column].rightAligned(toColumns: widths[column])
                    : row[column].padded(toColumns: widths[column])
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// All lines, with line breaks between them.
    package var text: String { lines.joined(separator: "\n") }
}
