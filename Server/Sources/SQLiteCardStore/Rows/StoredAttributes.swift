import CardModel
import CardStore
import OrderedCollections
import WireJSON

/// A user's attributes as a column keeps them: a JSON object, or NULL for none.
///
/// An attribute that is `null` is one that was removed, so it is not kept.
enum StoredAttributes {
    typealias Custom = JSONObject
    typealias Standard = OrderedDictionary<StandardAttribute, JSONValue>

    static func bytes(of attributes: Custom) -> [UInt8]? {
        let attributes = attributes.contains { $0.value.isNull } ? attributes.filter { !$0.value.isNull } : attributes
        return attributes.isEmpty ? nil : JSONValue.object(attributes).bytes
    }

    static func bytes(of attributes: Standard) -> [UInt8]? {
        var members = Custom(minimumCapacity: attributes.count)
        for (name, value) in attributes { members[name.rawValue] = value }
        return bytes(of: members)
    }

    static func custom(_ statement: PreparedStatement, _ column: Int32) throws -> Custom {
        guard let value = try statement.json(column) else { return [:] }
        guard let members = value.object else { throw StoreError.unreadable("a user's attributes") }
        return members
    }

    /// Reads the standard attributes; one that a newer version named is passed over.
    static func standard(_ statement: PreparedStatement, _ column: Int32) throws -> Standard {
        var attributes: Standard = [:]
        for (name, value) in try custom(statement, column) {
            if let name = StandardAttribute(rawValue: name) { attributes[name] = value }
        }
        return attributes
    }
}

extension PreparedStatement {
    /// Parses a text as JSON, or returns `nil` for NULL.
    func json(_ column: Int32) throws -> JSONValue? {
        do {
            return try withText(column) { try JSONValue(parsing: $0) }
        } catch {
            throw StoreError.unreadable("a row's JSON")
        }
    }
}

extension StoreError {
    /// Something that the store itself wrote cannot be read back.
    static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read. Put the last backup in its place.")
    }
}
