import CardModel
import Foundation

/// Turns a file that arrives in pieces into users and problems.
package struct ImportReader {
    /// A record and what it says.
    package struct Entry {
        /// The number of its first line.
        package let line: Int
        /// The place in the file after it.
        package let end: Int
        /// The number of the line after it.
        package let nextLine: Int
        /// Its bytes; empty where it was too long.
        package let bytes: [UInt8]
        /// The user, or `nil` where there is a problem.
        package let update: UserUpdate?
        /// The problem of the record now, or when it was written.
        package var problem: ImportError?
    }

    private let format: ImportFormat
    private let keepsStrings: Bool
    private let targets: [ColumnTarget]?
    private var scanner: RecordScanner
    private var heading: CSVHeading?

    /// Creates a reader that goes on where a state is.
    package init(format: ImportFormat, keepsStrings: Bool, state: ImportState) {
        self.format = format
        self.keepsStrings = keepsStrings
        targets = nil
        scanner = RecordScanner(format, offset: state.offset, line: state.line)
    }

    /// Creates a reader that follows a plan, and goes on at a place of the file, whose line has that number.
    package init(_ plan: ImportPlan, offset: Int = 0, line: Int = 1) {
        format = plan.format
        keepsStrings = false
        targets = plan.targets
        scanner = RecordScanner(plan.format, offset: offset, line: line)
    }

    /// Reads the heading in the beginning of a file, for an import that goes on behind it.
    ///
    /// - Throws: `ImportError` where it can't be read.
    package mutating func readHeading(in beginning: [UInt8]) throws(ImportError) {
        var scanner = RecordScanner(format)
        guard let record = (scanner.take(beginning) + scanner.finish()).first else {
            return try ImportError.check(scanner)
        }
        heading = try heading(record)
    }

    private func heading(_ record: RecordScanner.Record) throws(ImportError) -> CSVHeading {
        let row = try CSVRow(checking: record)
        guard let targets else { return try CSVHeading(row, keepsStrings: keepsStrings) }
        return try CSVHeading(row, columns: targets)
    }

    /// Reads the heading at the file's beginning, for an import that goes on behind it.
    ///
    /// - Throws: `ImportError` where there is none.
    package mutating func readHeading(of handle: FileHandle) throws {
        try handle.seek(toOffset: 0)
        var beginning = RecordScanner(format)
        while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty {
            guard let record = beginning.take(piece).first else { continue }
            heading = try heading(record)
            return
        }
    }

    /// Takes the next piece and returns what it completes.
    ///
    /// - Throws: `ImportError` where the heading of a CSV file cannot be read, or too many quotation marks aren't
    ///   closed.
    package mutating func take(_ piece: Data) throws(ImportError) -> [Entry] {
        let records = scanner.take(piece)
        try ImportError.check(scanner)
        return try entries(records)
    }

    /// Says that the file is over and returns what is left of it.
    ///
    /// - Throws: `ImportError` where the heading of a CSV file cannot be read.
    package mutating func finish() throws(ImportError) -> [Entry] {
        let records = scanner.finish()
        try ImportError.check(scanner)
        return try entries(records)
    }

    private mutating func entries(_ records: [RecordScanner.Record]) throws(ImportError) -> [Entry] {
        var entries: [Entry] = []
        for record in records {
            if format == .csv, heading == nil {
                heading = try heading(record)
            } else {
                entries.append(entry(record))
            }
        }
        return entries
    }

    private func entry(_ record: RecordScanner.Record) -> Entry {
        var update: UserUpdate?
        var problem: ImportError?
        do throws(ImportError) {
            update = try self.update(record)
        } catch {
            problem = error
        }
        return Entry(
            line: record.line,
            end: record.end,
            nextLine: record.nextLine,
            bytes: record.bytes,
            update: update,
            problem: problem
        )
    }

    private func update(_ record: RecordScanner.Record) throws(ImportError) -> UserUpdate {
        if record.isTooLong { throw ImportError("The line is longer than a user can be.") }
        guard let heading else { return try UserUpdate(jsonLine: record.bytes) }
        return try heading.update(try CSVRow(checking: record))
    }
}

extension ImportError {
    /// Throws where a scanner has given up.
    static func check(_ scanner: RecordScanner) throws(ImportError) {
        guard let line = scanner.unclosedLine else { return }
        throw ImportError("Line \(line): a quotation mark is never closed, like many before it.")
    }
}

extension CSVRow {
    /// Reads a record as a row.
    ///
    /// - Throws: `ImportError` that says what is wrong.
    package init(checking record: RecordScanner.Record) throws(ImportError) {
        do {
            try self.init(record.bytes)
        } catch {
            throw ImportError(error.rawValue)
        }
    }
}
