package import CardModel

/// A row as a database gives it, read by the names of its columns.
///
/// Every store in a database has the same columns, so that what a row means is written once.
package protocol StoredRow {
    /// Returns a text, or `nil` for NULL.
    func optionalText(_ column: String) throws -> String?
    /// Returns a whole number, or `nil` for NULL.
    func optionalInteger(_ column: String) throws -> Int64?
    /// Returns a number, or `nil` for NULL.
    func optionalDouble(_ column: String) throws -> Double?
    /// Returns bytes, or `nil` for NULL.
    func optionalBytes(_ column: String) throws -> [UInt8]?
    /// Returns whether a column is true.
    func flag(_ column: String) throws -> Bool
}

extension StoredRow {
    /// Returns a text.
    package func text(_ column: String) throws -> String { try required(optionalText(column), column) }

    /// Returns a whole number.
    package func integer(_ column: String) throws -> Int64 { try required(optionalInteger(column), column) }

    /// Returns a number of things: not negative, and below 2⁴⁸, so that others can be added to it.
    package func count(_ column: String) throws -> Int {
        let number = try integer(column)
        return try required((0...0xFFFF_FFFF_FFFF).contains(number) ? Int(exactly: number) : nil, column)
    }

    /// Returns a day by its number.
    package func day(_ column: String) throws -> Day {
        Day(number: try required(Int32(exactly: integer(column)), column))
    }

    /// Returns a number.
    package func double(_ column: String) throws -> Double { try required(optionalDouble(column), column) }

    /// Returns bytes.
    package func bytes(_ column: String) throws -> [UInt8] { try required(optionalBytes(column), column) }

    private func required<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else { throw StoreError.unreadable("a row without “\(column)”") }
        return value
    }
}
