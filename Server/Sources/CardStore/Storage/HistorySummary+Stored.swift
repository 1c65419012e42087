package import CardModel
import WireJSON

extension HistorySummary {
    /// The latest times, and what was paid at each, as the column keeps them.
    package var recent: [UInt8] {
        switch self {
        case .occurrences(let occurrences): RecentTimes.encode(occurrences.recent, amounts: nil)
        case .purchases(let record): RecentTimes.encode(record.occurrences.recent, amounts: record.recentAmounts)
        }
    }
}

extension HistorySummary {
    /// Restores a summary from its columns.
    ///
    /// - Parameters:
    ///   - part: The part of the history that it belongs to.
    ///   - count: How often it happened.
    ///   - first: The first time.
    ///   - last: The last time.
    ///   - recent: The latest times, see ``recent``.
    ///   - revenue: Reads what was paid in all, where it is a purchase.
    /// - Throws: `StoreError.corrupt` where the latest times can't be read.
    package init(
        of part: UserHistory.Parts,
        count: Int64,
        first: UnixTime,
        last: UnixTime,
        recent: UnsafeRawBufferPointer,
        revenue: () throws -> Amount
    ) throws {
        guard let recent = RecentTimes.decode(recent, hasAmounts: part == .purchases) else {
            throw StoreError.unreadable("a user's history")
        }
        let occurrences = Occurrences(count: count, first: first, last: last, recent: recent.times)
        guard part == .purchases else {
            self = .occurrences(occurrences)
            return
        }
        self = .purchases(
            PurchaseRecord(occurrences: occurrences, revenue: try revenue(), recentAmounts: recent.amounts)
        )
    }
}

extension UserHistory {
    /// Takes in what a row says.
    package mutating func take(_ key: HistoryKey, _ summary: HistorySummary) {
        switch summary {
        case .purchases(let record): purchases[Product(id: key.name, currency: key.currency)] = record
        case .occurrences(let occurrences) where key.part == .sessions: sessions = occurrences
        case .occurrences(let occurrences): events[ByteString(key.name)] = occurrences
        }
    }
}

/// The latest times as a column keeps them: for each the milliseconds since the one before, in seven bits a byte, and
/// where it is a purchase the billionths of the amount, likewise.
package enum RecentTimes {
    /// Encodes times, each with the amount behind it where there are amounts.
    package static func encode(_ times: [UnixTime], amounts: [Amount]?) -> [UInt8] {
        encode(times) { index, bytes in
            // safe: as many as there are times
            if let amounts { append(amounts[index].billionths, to: &bytes) }
        }
    }

    /// Encodes times, each with what `append` puts behind it.
    package static func encode(_ times: [UnixTime], _ append: (Int, inout [UInt8]) -> Void) -> [UInt8] {
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

    /// Returns `nil` for bytes that no store has written.
    package static func decode(
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
    package static func decode(
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
