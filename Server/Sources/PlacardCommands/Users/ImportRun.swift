import CardModel
import CardStore
import Foundation
import UserImport
import WireJSON

/// One import, from where an earlier one stopped to the end of the file.
struct ImportRun {
    /// The size of the piece of the file that is read at once, in bytes.
    private static let pieceSize = 1 << 18
    /// The number of users that are written at once; what the store takes.
    private static let batchSize = 1000
    /// The size of the part of a file that makes its hash, in bytes.
    private static let hashedSize = 1 << 16

    let file: String
    let format: ImportFormat
    let keepsStrings: Bool
    let store: any CardStore

    /// Imports the file and returns what became of it.
    func run(restart: Bool) async throws -> ImportState {
        let handle = try open()
        defer { try? handle.close() }
        let fresh = ImportState(source: try source(handle), epoch: store.wholeEpoch)
        let notes = ImportNotes(file: file)
        var state = restart ? fresh : notes.resume(fresh)
        let rejects = try RejectedLines(path: "\(file).rejected.jsonl", after: state.rejectedBytes)
        var reader = ImportReader(format: format, keepsStrings: keepsStrings, state: state)
        if format == .csv, state.offset > 0 { try reader.readHeading(of: handle) }
        let progress = ImportProgress(state)
        try handle.seek(toOffset: UInt64(state.offset))
        while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
            try await take(try reader.take(piece), into: &state, notes, rejects, progress)
        }
        try await take(try reader.finish(), into: &state, notes, rejects, progress)
        progress.finish(state)
        notes.remove()
        return state
    }

    private func take(
        _ entries: [ImportReader.Entry],
        into state: inout ImportState,
        _ notes: ImportNotes,
        _ rejects: RejectedLines,
        _ progress: ImportProgress
    ) async throws {
        for start in stride(from: 0, to: entries.count, by: Self.batchSize) {
            // safe: begins within the entries
            let batch = try await write(entries[start..<min(start + Self.batchSize, entries.count)])
            // safe: counts of lines and bytes
            for entry in batch { state.rejectedBytes += try rejects.note(entry) }
            // safe: counts of lines and bytes
            state.imported += batch.count { $0.problem == nil }
            // safe: counts of lines and bytes
            state.rejected += batch.count { $0.problem != nil }
            if let last = batch.last { (state.offset, state.line) = (last.end, last.nextLine) }
            notes.save(state)
            progress.show(state)
        }
    }

    /// Writes users, and returns their entries with what kept the store from taking some of them.
    private func write(_ entries: ArraySlice<ImportReader.Entry>) async throws -> [ImportReader.Entry] {
        var entries = Array(entries)
        let places = entries.indices.filter { entries[$0].update != nil }
        guard !places.isEmpty else { return entries }
        let outcomes = try await store.updateUsers(entries.compactMap(\.update), at: Date().timeIntervalSince1970)
        for (place, excess) in zip(places, outcomes) {
            if let excess { entries[place].problem = ImportError(excess.message + ".") }
        }
        return entries
    }

    /// The path of the file itself, where links lead to it.
    private var target: String { URL(filePath: file).resolvingSymlinksInPath().path }

    private func open() throws -> FileHandle {
        let type = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        // A link that leads nowhere stays a link.
        if let type, type != .typeRegular, type != .typeSymbolicLink {
            throw CommandError("\(file) is not a file. An import that is interrupted goes on in a file alone.")
        }
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw CommandError("There is no file \(file) that can be read.")
        }
        return handle
    }

    private func source(_ handle: FileHandle) throws -> ImportState.Source {
        // Those of a link would stay the same where the file is replaced.
        let attributes = try FileManager.default.attributesOfItem(atPath: target)
        let beginning = try handle.read(upToCount: Self.hashedSize) ?? Data()
        return ImportState.Source(
            size: attributes[.size] as? Int ?? 0,
            modifiedAt: (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0,
            hash: String(StableHash.of("import", String(decoding: beginning, as: UTF8.self)), radix: 16)
        )
    }
}
