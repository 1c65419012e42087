import CardModel
import CardStore
import WireJSON

extension HistorySummary {
    /// The latest times, and what was paid at each, as the column keeps them.
    var recent: [UInt8] {
        switch self {
        case .occurrences(let occurrences): RecentTimes.encode(occurrences.recent, amounts: nil)
        case .purchases(let record): RecentTimes.encode(record.occurrences.recent, amounts: record.recentAmounts)
        }
    }
}

extension PreparedStatement {
    /// Reads a summary: count, first and last time, revenue and the latest times, side by side from that column.
    func historySummary(of part: UserHistory.Parts, from column: Int32) throws -> HistorySummary {
        let recent = withBlob(column + 4) { RecentTimes.decode($0, hasAmounts: part == .purchases) }
        guard let recent else { throw StoreError.unreadable("a user's history") }
        let occurrences = Occurrences(
            count: integer(column),
            first: double(column + 1),
            last: double(column + 2),
            recent: recent.times
        )
        guard part == .purchases else { return .occurrences(occurrences) }
        return .purchases(
            PurchaseRecord(occurrences: occurrences, revenue: try amount(column + 3), recentAmounts: recent.amounts)
        )
    }
}

extension UserHistory {
    /// Takes in what a row says.
    mutating func take(_ key: HistoryKey, _ summary: HistorySummary) {
        switch summary {
        case .purchases(let record): purchases[Product(id: key.name, currency: key.currency)] = record
        case .occurrences(let occurrences) where key.part == .sessions: sessions = occurrences
        case .occurrences(let occurrences): events[ByteString(key.name)] = occurrences
        }
    }
}

/// The latest times as a column keeps them: for each the milliseconds since the one before, in seven bits a byte, and
/// where it is a purchase the billionths of the amount, likewise.
enum RecentTimes {
    static func encode(_ times: [UnixTime], amounts: [Amount]?) -> [UInt8] {
        encode(times) { index, bytes in
            // safe: as many as there are times
            if let amounts { append(amounts[index].billionths, to: &bytes) }
        }
    }

    /// Encodes times, each with what `append` puts behind it.
    static func encode(_ times: [UnixTime], _ append: (Int, inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(times.count * 6 + 4)
        var last: Int64 = 0
        for (index, time) in times.enumerated() {
            // A time that no clock shows is kept as the nearest that fits; reading adds up without overflow too.
            let milliseconds = Int64(saturating: (time * 1000).rounded())
            Self.append(Int128(milliseconds &- last), to: &bytes)
            last = milliseconds
            append(index, &bytes)
        }
        return bytes
    }

    /// Returns `nil` for bytes that are none of ours.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        hasAmounts: Bool
    ) -> (times: [UnixTime], amounts: [Amount])? {
        var amounts: [Amount] = []
        let times = decode(bytes) { bytes, index in
            guard hasAmounts else { return true }
            guard let billionths = number(bytes, &index) else { return false }
            amounts.append(Amount(billionths: billionths))
            return true
        }
        return times.map { ($0, amounts) }
    }

    /// Decodes times; `read` passes over what is behind each, and returns whether it could.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ read: (UnsafeRawBufferPointer, inout Int) -> Bool
    ) -> [UnixTime]? {
        var times: [UnixTime] = []
        times.reserveCapacity(Occurrences.recentLimit)
        var index = 0
        var last: Int64 = 0
        while index < bytes.count {
            guard let step = number(bytes, &index) else { return nil }
            last &+= Int64(truncatingIfNeeded: step)
            times.append(Double(last) / 1000)
            guard read(bytes, &index) else { return nil }
        }
        return times
    }

    /// Times are in order, but the first may be before 1970, so the sign goes to the lowest bit.
    private static func append(_ number: Int128, to bytes: inout [UInt8]) {
        var rest = UInt128(bitPattern: number << 1 ^ number >> 127)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        // safe: seven bits are left
        bytes.append(UInt8(rest))
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int128? {
        var value: UInt128 = 0
        var shift: UInt128 = 0
        while index < bytes.count, shift < 128 {
            let byte = bytes[index]
            // safe: within the column
            index += 1
            value |= UInt128(byte & 0x7F) << shift
            // safe: one bit
            if byte < 0x80 { return Int128(bitPattern: value >> 1) ^ -Int128(bitPattern: value & 1) }
            shift += 7
        }
        return nil
    }
}

extension PreparedStatement {
    /// Reads the rows of `SQL.histories`.
    func userHistory() throws -> UserHistory {
        var history = UserHistory()
        while let (key, summary) = try nextHistory() { history.take(key, summary) }
        return history
    }

    /// Reads the rows of `SQL.histories` by what they sum up.
    func historySummaries() throws -> [HistoryKey: HistorySummary] {
        var summaries: [HistoryKey: HistorySummary] = [:]
        while let (key, summary) = try nextHistory() { summaries[key] = summary }
        return summaries
    }

    private func nextHistory() throws -> (HistoryKey, HistorySummary)? {
        guard try step() else { return nil }
        let part = UserHistory.Parts(rawValue: UInt8(truncatingIfNeeded: integer(0)))
        let key = HistoryKey(part, name: text(1), currency: text(2))
        return (key, try historySummary(of: part, from: 3))
    }
}
