import Crypto

/// A database whose tables can be read for a copy.
///
/// Its calls wait for the database; they are made on one thread at a time.
package protocol TransferDatabase: AnyObject, Sendable {
    /// Returns the tables that are copied, those that others refer to first.
    func tables() throws(StoreError) -> [TransferTable]
    /// Returns the number of rows of a table.
    func count(of table: TransferTable) throws(StoreError) -> Int64
    /// Returns the next rows of a table in the order of its key, with the values in the order of its columns.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key of the last row that was read, or `nil` to begin.
    ///   - limit: The number of rows, at most.
    /// - Returns: The rows; none at the end of the table.
    /// - Throws: What keeps the database from being read.
    func rows(
        of table: TransferTable,
        after key: [TransferValue]?,
        limit: Int
    ) throws(StoreError) -> [[TransferValue]]
}

/// A database that is copied, and that nothing writes to in the meantime.
package protocol TransferSource: TransferDatabase {
    /// Returns what isn't a row of a table that is copied.
    func head() throws(StoreError) -> TransferHead
    /// Returns bytes that differ where the database was changed.
    func fingerprint() throws(StoreError) -> [UInt8]
}

/// A database that a copy is written to.
///
/// Until the copy is finished, no server opens it.
package protocol TransferTarget: TransferDatabase {
    /// Returns how far an unfinished copy is, or `nil` where none was begun.
    func unfinishedCopy() throws(StoreError) -> UnfinishedCopy?
    /// Begins a copy.
    ///
    /// - Parameter fingerprint: The source's fingerprint.
    /// - Throws: `StoreError.exists` where there is anything in the database.
    func begin(_ fingerprint: [UInt8]) throws(StoreError)
    /// Writes rows and how far the copy then is, all or nothing.
    ///
    /// - Throws: `StoreError.conflict` where the copy isn't as far as it was.
    func append(
        _ rows: [[TransferValue]],
        to table: TransferTable,
        advancing old: TransferState,
        to new: TransferState
    ) throws(StoreError)
    /// Writes what isn't a row, and makes the database one that servers open.
    ///
    /// - Parameters:
    ///   - head: What isn't a row.
    ///   - users: The number of users.
    /// - Throws: What keeps the database from being written.
    func finish(_ head: TransferHead, users: Int64) throws(StoreError)
}

/// The part of a store that is copied beside the rows of tables.
package struct TransferHead: Sendable, Hashable {
    /// The generation of the catalog.
    package var generation: Int64
    /// The settings, as JSON in UTF-8.
    package var settings: [UInt8]
    /// The time of the last check of the store.
    package var checkedAt: Double
    /// The key of the texts that stand for deleted users.
    package var userHashKey: [UInt8]
    /// The id of the key that secrets are encrypted with, or `nil` where there is none.
    package var secretsKey: [UInt8]?
    /// The last position of the event log that was given out.
    package var logPosition: Int64
    /// The last position of the webhook's notices that was given out.
    package var noticePosition: Int64

    /// Creates a head.
    package init(
        generation: Int64,
        settings: [UInt8],
        checkedAt: Double,
        userHashKey: [UInt8],
        secretsKey: [UInt8]?,
        logPosition: Int64,
        noticePosition: Int64
    ) {
        self.generation = generation
        self.settings = settings
        self.checkedAt = checkedAt
        self.userHashKey = userHashKey
        self.secretsKey = secretsKey
        self.logPosition = logPosition
        self.noticePosition = noticePosition
    }

    /// The head as bytes that differ where it does, with other values.
    package func fingerprint(with values: [TransferValue]) -> [UInt8] {
        let own: [TransferValue] = [
            .integer(generation), .text(settings), .real(checkedAt), .bytes(userHashKey),
            secretsKey.map(TransferValue.bytes) ?? .null, .integer(logPosition), .integer(noticePosition),
        ]
        return Array(SHA256.hash(data: TransferCoding.encode(own + values)))
    }
}

/// The progress of the copy of a table.
package struct TransferState: Sendable, Hashable {
    /// The number of rows that were copied.
    package var copied: Int64 = 0
    /// The digest of the rows that were copied.
    package var digest = TransferDigest()
    /// The key of the last row that was copied, or `nil` before the first one.
    package var lastKey: [TransferValue]?
    /// Whether all rows were copied.
    package var isDone = false

    /// Creates the state of a table of which nothing was copied.
    package init() {}
}

/// A copy that was begun, and not finished.
package struct UnfinishedCopy: Sendable, Hashable {
    /// The name of the table in the target that remembers how far it is.
    package static let table = "placard_copy"
    /// The migration that a target seems to have, so that no server takes it for a whole database.
    package static let mark = "copy-unfinished"
    /// The error for a target of which a copy isn't finished.
    package static let refusal = StoreError(
        .incompatible,
        "The database is an unfinished copy. Finish it with the same `placard copy`, or remove it."
    )

    /// The source's fingerprint.
    package let fingerprint: [UInt8]
    /// The progress of each table that was begun, by its name.
    package let states: [String: TransferState]

    /// Creates the description of a copy.
    package init(fingerprint: [UInt8], states: [String: TransferState]) {
        (self.fingerprint, self.states) = (fingerprint, states)
    }
}

/// A digest of rows, whatever order they are read in.
package struct TransferDigest: Sendable, Hashable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Creates the digest of no rows.
    package init() {}

    /// Creates a digest from ``bytes``, or returns `nil` for other bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = Self.number(bytes.prefix(8))
        low = Self.number(bytes.suffix(8))
    }

    /// The digest as 16 bytes.
    package var bytes: [UInt8] {
        [high, low].flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
    }

    /// Adds a row.
    package mutating func add(_ row: [TransferValue]) {
        SHA256.hash(data: TransferCoding.encode(row)).withUnsafeBytes { hash in
            // A sum, so that the order doesn't matter.
            high &+= UInt64(bigEndian: hash.loadUnaligned(as: UInt64.self))
            low &+= UInt64(bigEndian: hash.loadUnaligned(fromByteOffset: SHA256.byteCount - 8, as: UInt64.self))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
