public import CardModel
public import CardStore
import Dispatch
import Foundation
import GRDB

extension SQLiteCardStore {
    /// Something that was looked at, and how it is.
    public typealias Finding = StoreFinding

    /// Looks at a database as an operator would, and changes nothing.
    ///
    /// A server may be using it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - secretsKey: Where the keys for secrets come from; see ``Options/secretsKey``.
    ///   - isFull: Whether everything is checked that takes time in proportion to the database. Without it, that is
    ///     done up to a size at which it takes seconds.
    ///   - now: The time, or `nil` for that of the clock.
    /// - Returns: What was found, in an order that stays the same.
    public static func diagnose(
        path: String,
        secretsKey: SecretsKeySource? = nil,
        isFull: Bool,
        at now: UnixTime? = nil
    ) async -> [Finding] {
        let source = secretsKey ?? .file(path: secretsKeyPath(of: path))
        let now = now ?? Date().timeIntervalSince1970
        return await withUnsafeContinuation { continuation in
            // Reading all of it takes as long as the disk does, which is no work for the threads that tasks share.
            DispatchQueue.global(qos: .utility).async {
                let diagnosis = Diagnosis(files: DatabaseFiles(path), secretsKey: source, isFull: isFull, now: now)
                continuation.resume(returning: diagnosis.run())
            }
        }
    }
}

/// Looks at the files of a database, and at what is in them.
struct Diagnosis: Sendable {
    typealias Finding = SQLiteCardStore.Finding

    /// Up to this size, in bytes, everything is checked in any case.
    private static let smallBytes: Int64 = 256 << 20

    let files: DatabaseFiles
    let secretsKey: SecretsKeySource
    let isFull: Bool
    let now: UnixTime

    func run() -> [Finding] {
        do throws(StoreError) {
            try files.requireReadable()
        } catch {
            // Of files that can't be looked at, nothing else is known.
            return [.unusable(error), .freeSpace(in: files.folder)]
        }
        return inDatabase() + [
            .freeSpace(in: files.folder), .log(of: files), .endOfLog(of: files),
            .exposure(of: StoreFiles.exposed(files, and: StoreFiles.copies(files), secrets: secretsKey.files)),
            .openness(of: files), .writability(of: files),
            Finding.interruptedRestore(of: files) ?? Finding.leftovers(in: files.folder),
        ]
    }

    /// Whether checks are done that read everything.
    private var isThorough: Bool { isFull || (DatabaseFiles.size(of: files.main) ?? 0) <= Self.smallBytes }

    private func inDatabase() -> [Finding] {
        do {
            try StoreOpening.checkLog(files)
            let state = try DatabaseState(of: files)
            switch state {
            case .missing, .empty: try state.requireCurrent(files)
            case .older(_, let pending): return [.opens, .older(pending)] + (try read { [integrity(in: $0)] })
            case .current: break
            }
            return [.opens] + (try read(contents))
        } catch {
            return [.unusable(error)]
        }
    }

    private func read(_ body: (Database) throws -> [Finding]) throws(StoreError) -> [Finding] {
        try translatingErrors {
            try QuietReader(files).read { queue in
                try queue.unsafeRead(body)
            }
        }
    }

    private func contents(_ database: Database) throws -> [Finding] {
        let secrets = try StoreSecrets(secretsKey, isRequired: false)
        var findings: [Finding] = [.current]
        // One that can't be made is no reason to leave out the others.
        findings.append(Finding.of("objects", in: database) { .objects(try SchemaObjects.difference(of: database)) })
        findings.append(integrity(in: database))
        findings.append(
            Finding.of("references", in: database) {
                .references(isThorough ? try DatabaseFlaws.orphans(in: database) : [])
            }
        )
        findings.append(Finding.of("store", in: database) { try .storeRow(in: database) })
        if isThorough {
            findings.append(Finding.of("counters", in: database) { try .counters(in: database) })
            findings.append(Finding.of("day totals", in: database) { try .dayTotals(in: database) })
            findings.append(Finding.of("log position", in: database) { try .logPosition(in: database) })
        }
        findings.append(Finding.of("events", in: database) { try .events(in: database, at: isThorough ? now : nil) })
        if let problem = StoreSecrets.problem(secretsKey) {
            findings.append(.unreadableKey(problem))
        } else {
            findings.append(Finding.of("secrets", in: database) { try .secrets(in: database, secrets) })
        }
        findings.append(Finding.of("contents", in: database) { try DatabaseFlaws.contents(in: database) })
        if isFull { findings.append(Finding.of("rows", in: database) { try DatabaseFlaws.rows(in: database) }) }
        findings.append(Finding.of("media", in: database) { try .pictures(of: files, in: database) })
        // SQLite uses no log where nothing can be written.
        if files.isFrozen { return findings }
        findings.append(
            Finding.of("journal", in: database) {
                .journal(try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "")
            }
        )
        return findings
    }

    private func integrity(in database: Database) -> Finding {
        let check = isThorough ? "integrity_check(10)" : "quick_check(10)"
        let lines: [String]
        do {
            lines = try String.fetchAll(database, sql: "PRAGMA \(check)")
        } catch {
            // What to do follows from the finding, and is said there.
            lines = [SQLiteReason(error)?.description ?? StoreError(error).message]
        }
        return .integrity(lines, isThorough: isThorough)
    }
}

extension SQLiteCardStore {
    /// Whether a server or another command has a database open for writing, as far as it can be told.
    ///
    /// - Parameter path: The file.
    /// - Returns: Whether a process holds its lock.
    public static func isInUse(path: String) -> Bool {
        DatabaseLock(DatabaseFiles(path), isCreated: false).map { !$0.takeAlone() } ?? false
    }
}

extension SQLiteCardStore.Finding {
    /// Makes a finding of a database as it is at one moment; a check that fails is one too.
    fileprivate static func of(_ subject: String, in database: Database, _ check: () throws -> Self) -> Self {
        do {
            return try database.atOneMoment(check)
        } catch {
            let error = unreadable(error)
            return Self(level: .bad, subject: subject, message: error.message, command: error.command)
        }
    }
}

extension Database {
    /// Runs what reads in a transaction of its own.
    ///
    /// While one is open, the log of a server that writes can't begin again at its front, and grows: checks that take
    /// minutes together don't share one.
    func atOneMoment<Value>(_ body: () throws -> Value) throws -> Value {
        try execute(sql: "BEGIN")
        // Its end has nothing to say that the body hasn't said.
        defer { try? execute(sql: "ROLLBACK") }
        return try body()
    }
}
