import CardStore
import Foundation
import GRDB

extension Row: StoredRow {
    package func optionalText(_ column: String) throws -> String? { try optional(column) }

    package func optionalInteger(_ column: String) throws -> Int64? { try optional(column) }

    package func optionalDouble(_ column: String) throws -> Double? { try optional(column) }

    package func optionalBytes(_ column: String) throws -> [UInt8]? {
        try (optional(column) as Data?).map { [UInt8]($0) }
    }

    package func flag(_ column: String) throws -> Bool {
        guard let flag = try optional(column) as Bool? else { throw StoreError.unreadable("a row without “\(column)”") }
        return flag
    }

    /// Returns a value, or `nil` for NULL; the subscript ends the process where the value has another type.
    private func optional<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
        guard let stored = self[column] as DatabaseValue?, !stored.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw StoreError.unreadable("a column \(column)") }
        return value
    }
}
