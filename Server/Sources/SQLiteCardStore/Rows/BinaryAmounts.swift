import CardModel
import CardStore
import Foundation

/// The latest times with amounts as binary fractions, as they were kept before migration 46.
enum BinaryAmounts {
    static func encode(_ summary: HistorySummary) -> [UInt8] {
        guard case .purchases(let record) = summary else { return summary.recent }
        return RecentTimes.encode(record.occurrences.recent) { index, bytes in
            // safe: as many as there are times
            withUnsafeBytes(of: record.recentAmounts[index].double.bitPattern.littleEndian) {
                bytes.append(contentsOf: $0)
            }
        }
    }

    /// Returns a column with its amounts as they are kept now.
    static func decimal(_ column: Data, isPurchase: Bool) throws -> [UInt8] {
        guard isPurchase else { return Array(column) }
        var amounts: [Amount] = []
        let times = column.withUnsafeBytes { bytes in
            RecentTimes.decode(bytes) { bytes, index in
                // safe: both are within the column
                guard bytes.count - index >= 8 else { return false }
                let bits = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                amounts.append(Amount(rounding: Double(bitPattern: UInt64(littleEndian: bits))) ?? .zero)
                // safe: within the column
                index += 8
                return true
            }
        }
        guard let times else { throw StoreError.unreadable("a user's history") }
        return RecentTimes.encode(times, amounts: amounts)
    }
}
