/// Cuts a file that arrives in pieces into records, holding no more than one record and one piece.
package struct RecordScanner {
    /// One line, or one CSV row, which may have line breaks within quotes.
    package struct Record: Equatable {
        /// Its bytes without the line break at the end.
        package var bytes: [UInt8]
        /// The number of its first line, from 1.
        package var line: Int
        /// The place in the file after it.
        package var end: Int
        /// The number of the line after it, from 1.
        package var nextLine: Int
        /// Whether it was longer than the limit; then its bytes are gone.
        package var isTooLong = false
    }

    /// The position of the next byte in a CSV row.
    private enum Place {
        case fieldStart
        case unquoted
        case quoted
        case afterQuote
        /// In a line that is too long, up to its end.
        case skipping
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")
    /// The bytes that some programs write before UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let format: ImportFormat
    private let limit: Int
    // bounded: a state that says more than 2^53 is refused
    private var offset: Int
    // bounded: a state that says more than 2^53 is refused
    private var line: Int
    private var firstLine: Int
    private var current: [UInt8] = []
    private var place = Place.fieldStart
    /// The number of bytes that were taken, those that were taken once more included.
    private var taken = 0
    private var takenAgain = 0
    /// The line from which on too many quotation marks aren't closed to go on, or `nil`.
    ///
    /// Each one that isn't closed has all lines after it read again, so a file of them would be read as many times as
    /// it has lines. What is read again is four times the file at the most, or 16 MiB where that is more; then nothing
    /// more is read.
    package private(set) var unclosedLine: Int?

    private static let againTimes = 4
    /// The number of bytes that can be read again whatever the size of the file.
    private let againAtLeast: Int

    /// Creates a scanner that stands at a record's beginning: at that place of the file, whose line has that number.
    ///
    /// A record of more than `limit` bytes is passed over, and `againAtLeast` bytes may be read again in any file.
    package init(
        _ format: ImportFormat,
        offset: Int = 0,
        line: Int = 1,
        limit: Int = 1 << 20,
        againAtLeast: Int = 16 << 20
    ) {
        self.format = format
        self.againAtLeast = againAtLeast
        self.offset = offset
        self.line = line
        self.limit = limit
        firstLine = line
    }

    /// Takes the next piece and returns the records that it completes, without empty lines.
    package mutating func take(_ piece: some Sequence<UInt8>) -> [Record] {
        var records: [Record] = []
        for byte in piece {
            guard unclosedLine == nil else { break }
            taken += 1
            if let again = take(byte, &records) { takeAgain(again, &records) }
        }
        return records
    }

    /// Says that the file is over and returns the records that had no line break after them.
    ///
    /// There is more than one where a quotation mark is never closed.
    package mutating func finish() -> [Record] {
        var records: [Record] = []
        while place == .quoted, unclosedLine == nil, let again = endFirstLine(&records) { takeAgain(again, &records) }
        guard unclosedLine == nil else { return records }
        if let record = complete(isTooLong: place == .skipping) { records.append(record) }
        return records
    }

    /// Takes a byte, and returns those that are to be taken once more, as the lines that they are.
    private mutating func take(_ byte: UInt8, _ records: inout [Record]) -> ArraySlice<UInt8>? {
        offset += 1
        if byte == Self.lineFeed {
            line += 1
            if place != .quoted {
                if let record = complete(isTooLong: place == .skipping) { records.append(record) }
                return nil
            }
        }
        if place == .skipping { return nil }
        let isStray = format == .csv && advance(byte)
        current.append(byte)
        if offset == Self.byteOrderMark.count, current == Self.byteOrderMark {
            (current, place) = ([], .fieldStart)
            return nil
        }
        if isStray || current.count > limit, let again = endFirstLine(&records) { return again }
        if current.count > limit {
            current = []
            place = .skipping
        }
        return nil
    }

    private mutating func takeAgain(_ bytes: ArraySlice<UInt8>, _ records: inout [Record]) {
        var pending = [bytes]
        while var slice = pending.popLast() {
            while unclosedLine == nil, let byte = slice.popFirst() {
                guard let again = take(byte, &records) else { continue }
                pending.append(slice)
                slice = again
            }
        }
    }

    /// Ends the record after its first line, whose quotation mark is a stray one, and returns the bytes that came after
    /// it; `nil` where the record has one line.
    ///
    /// Otherwise one forgotten quotation mark would take in all users up to the next one.
    private mutating func endFirstLine(_ records: inout [Record]) -> ArraySlice<UInt8>? {
        guard let end = current.firstIndex(of: Self.lineFeed) else { return nil }
        let rest = current[(end + 1)...]
        takenAgain += rest.count
        guard takenAgain / Self.againTimes <= taken || takenAgain <= againAtLeast else {
            unclosedLine = firstLine
            return []
        }
        offset -= rest.count
        // safe: the number of a line
        line = firstLine + 1
        current = Array(current[..<end])
        if let record = complete() { records.append(record) }
        return rest
    }

    /// Goes on in a row, and returns whether the byte can't stand there, after a closing quotation mark.
    private mutating func advance(_ byte: UInt8) -> Bool {
        switch (place, byte) {
        case (.fieldStart, Self.quote): place = .quoted
        case (.quoted, Self.quote): place = .afterQuote
        // A doubled quote is one that belongs to the text.
        case (.afterQuote, Self.quote): place = .quoted
        case (.quoted, _), (.skipping, _): break
        case (_, UInt8(ascii: ",")): place = .fieldStart
        case (.afterQuote, let byte) where byte != Self.carriageReturn:
            place = .unquoted
            return true
        default: place = .unquoted
        }
        return false
    }

    private mutating func complete(isTooLong: Bool = false) -> Record? {
        defer {
            current = []
            place = .fieldStart
            firstLine = line
        }
        if isTooLong { return Record(bytes: [], line: firstLine, end: offset, nextLine: line, isTooLong: true) }
        if current.last == Self.carriageReturn { current.removeLast() }
        guard current.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        return Record(bytes: current, line: firstLine, end: offset, nextLine: line)
    }
}
