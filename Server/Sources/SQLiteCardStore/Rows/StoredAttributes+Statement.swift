import CardModel
import CardStore
import WireJSON

extension StoredAttributes {
    static func custom(_ statement: PreparedStatement, _ column: Int32) throws -> Custom {
        try custom(statement.json(column))
    }

    static func standard(_ statement: PreparedStatement, _ column: Int32) throws -> Standard {
        try standard(statement.json(column))
    }

    static func standard(
        _ statement: PreparedStatement,
        _ column: Int32,
        _ claimed: inout ClaimedAddresses
    ) throws -> Standard {
        try standard(statement.json(column), &claimed)
    }
}

extension PreparedStatement {
    /// Parses a text as JSON, or returns `nil` for NULL.
    func json(_ column: Int32) throws -> JSONValue? {
        do {
            return try withText(column) { try JSONValue(parsing: $0) }
        } catch {
            throw StoreError.unreadable("a user's attributes")
        }
    }
}
