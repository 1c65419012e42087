import WireJSON

/// The progress of an import, kept beside the file so that it can go on after an interruption.
package struct ImportState: Sendable, Equatable {
    /// The values that tell that a file is still the same.
    package struct Source: Sendable, Equatable {
        /// The size in bytes.
        package var size: Int
        /// The time at which it was last changed, in Unix seconds.
        package var modifiedAt: Double
        /// A hash of its beginning.
        package var hash: String

        /// Describes a file.
        package init(size: Int, modifiedAt: Double, hash: String) {
            self.size = size
            self.modifiedAt = modifiedAt
            self.hash = hash
        }
    }

    /// The file.
    package var source: Source
    /// The store's epoch: another database needs the whole file.
    package var epoch: UInt64
    /// The place in the file up to which all is done.
    // bounded: a state of more is refused
    package var offset = 0
    /// The number of the line there, from 1.
    // bounded: a state of more is refused
    package var line = 1
    /// The number of users that were imported.
    package var imported = 0
    /// The number of records that were rejected.
    package var rejected = 0
    /// The size of the file of rejected lines, in bytes.
    package var rejectedBytes = 0

    /// Stands at a file's beginning.
    package init(source: Source, epoch: UInt64) {
        self.source = source
        self.epoch = epoch
    }

    /// Whether this goes on with that file in that store.
    package func continues(_ other: ImportState) -> Bool {
        source == other.source && epoch == other.epoch && offset <= source.size
    }
}

extension ImportState {
    /// The range of bytes and lines of a file: a file that says more was not written by an import.
    private static let counts: ClosedRange<Int64> = 0...1 << 53

    /// Reads a state, or returns `nil` where it is none.
    package init?(json: JSONValue) {
        guard let size = json["size"]?.integer, let modifiedAt = json["modified_at"]?.double,
            let hash = json["hash"]?.string, let epoch = json["epoch"]?.string.flatMap({ UInt64($0) }),
            let offset = json["offset"]?.integer, let line = json["line"]?.integer,
            let imported = json["imported"]?.integer, let rejected = json["rejected"]?.integer,
            let rejectedBytes = json["rejected_bytes"]?.integer,
            [size, offset, line, imported, rejected, rejectedBytes].allSatisfy(Self.counts.contains), line >= 1
        else { return nil }
        self.init(source: Source(size: Int(size), modifiedAt: modifiedAt, hash: hash), epoch: epoch)
        self.offset = Int(offset)
        self.line = Int(line)
        self.imported = Int(imported)
        self.rejected = Int(rejected)
        self.rejectedBytes = Int(rejectedBytes)
    }

    /// The state as it is kept.
    package var json: JSONValue {
        [
            "size": .integer(Int64(source.size)), "modified_at": .number(source.modifiedAt),
            "hash": .string(source.hash), "epoch": .string(String(epoch)), "offset": .integer(Int64(offset)),
            "line": .integer(Int64(line)), "imported": .integer(Int64(imported)),
            "rejected": .integer(Int64(rejected)), "rejected_bytes": .integer(Int64(rejectedBytes)),
        ]
    }
}
