import CardModel
import WireJSON

extension ContentType {
    /// Returns the first class types by name, for the audit log.
    package static func auditSubject(of types: [ContentType]) -> String {
        let names = types.prefix(3).map { String($0.classType.prefix(60)) }.joined(separator: ", ")
        return types.count > 3 ? "\(names) and \(types.count - 3) more" : names
    }

    /// Restores a content type from its row.
    package init(_ row: some StoredRow) throws {
        guard let schema = try? JSONValue(parsing: row.text("schema")) else {
            throw StoreError.unreadable("content type", try row.text("class_type"))
        }
        self.init(classType: try row.text("class_type"), schema: schema, updatedAt: try row.double("updated_at"))
    }
}

extension ContentTypeProposal {
    /// The types as a row holds them.
    package var storedTypes: String { JSONValue.array(types.map(\.schema)).text }

    /// Returns whether the proposal says something that the accepted types don't, by their schemas' texts.
    package func saysMore(than accepted: (_ classType: String) throws -> String?) rethrows -> Bool {
        try types.contains { type in
            guard let known = try accepted(type.classType) else { return true }
            return !known.hasSameBytes(as: type.schema.text)
        }
    }

    /// Restores a proposal from its row.
    package init(_ row: some StoredRow) throws {
        let time = try row.double("updated_at")
        guard let types = (try? JSONValue(parsing: row.text("types")))?.array else {
            throw StoreError.unreadable("a proposal of content types")
        }
        self.init(
            id: try row.text("id"),
            keyID: try row.text("key_id"),
            appVersion: try row.text("app_version"),
            types: types.map {
                ContentType(classType: $0["class_type"]?.string ?? "", schema: $0, updatedAt: time)
            },
            updatedAt: time
        )
    }
}
