import CardStore
import Foundation
import GRDB

extension Row: StoredRow {
    package func optionalText(_ column: String) -> String? { self[column] }

    package func optionalInteger(_ column: String) -> Int64? { self[column] }

    package func optionalDouble(_ column: String) -> Double? { self[column] }

    package func optionalBytes(_ column: String) -> [UInt8]? { (self[column] as Data?).map { [UInt8]($0) } }

    package func flag(_ column: String) -> Bool { self[column] }
}
