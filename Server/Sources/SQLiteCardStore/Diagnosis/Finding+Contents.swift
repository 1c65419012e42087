import CardModel
import CardStore
import Foundation
import GRDB

// What is found in a database.
extension SQLiteCardStore.Finding {
    private static let restore = "placard restore FILE"
    private static let repair = "placard repair"

    private static func good(_ subject: String, _ message: String) -> Self {
        Self(level: .good, subject: subject, message: message)
    }

    private static func bad(_ subject: String, _ message: String, _ command: String) -> Self {
        Self(level: .bad, subject: subject, message: message, command: command)
    }

    static let opens = good("database", "opens")

    static func unusable(_ error: any Error) -> Self {
        let error = StoreError(error)
        return Self(level: .bad, subject: "database", message: error.message, command: command(for: error))
    }

    /// The command that helps where a database can't be used, or `nil` where nothing is wrong with what it holds: a
    /// backup in its place would lose what it has.
    private static func command(for error: StoreError) -> String? {
        if error == UnfinishedCopy.refusal { return "placard copy --from … --to …" }
        switch error.code {
        case .corrupt: return restore
        case .incompatible: return incompatibility(error.message)
        case .unavailable where error == StoreError.unplayedJournal: return "placard migrate"
        default: return nil
        }
    }

    private static func incompatibility(_ message: String) -> String {
        if message.contains(" is empty") { return "placard migrate" }
        if message.contains("newer version") { return "placard --version" }
        let isOther = message.contains("another program") || message.contains(" is no file")
        return isOther ? "placard doctor --database sqlite:FILE" : restore
    }

    /// Returns the message where something can't be read, without what the command says already.
    static func unreadable(_ error: any Error) -> (message: String, command: String?) {
        // A table that isn't there is named among the objects.
        if let reason = SQLiteReason(error), reason.isStatement { return ("This can't be read: \(reason).", nil) }
        guard let reason = SQLiteReason(error), reason.isDamage else {
            let error = StoreError(error)
            return ("This can't be read: \(error.message)", command(for: error))
        }
        return ("This can't be read: the database is damaged (\(reason)).", restore)
    }

    static let current = good("schema", Schema.migrations.last?.identifier ?? "none")

    static func older(_ pending: [String]) -> Self {
        bad(
            "schema",
            "It is of an older version and lacks \(Quantity.text(pending.count, "migration")), from "
                + "\(pending.first ?? "") on.",
            "placard migrate"
        )
    }

    static func objects(_ difference: SchemaObjects.Difference) -> Self {
        let missing = difference.missing
        guard !missing.isEmpty else {
            guard !difference.changed.isEmpty else { return good("objects", "every table, index and trigger is there") }
            let titles = difference.changed.prefix(5).map(\.title).joined(separator: ", ")
            let isOne = difference.changed.count == 1
            return bad(
                "objects",
                "\(titles) \(isOne ? "isn't" : "aren't") what this version creates: "
                    + "the database was changed by other means.",
                repair
            )
        }
        // The columns and indexes of a table that is missing needn't be named.
        let named = difference.missingOnTheirOwn
        let titles = named.prefix(5).map(\.title).joined(separator: ", ")
        let more = named.count > 5 ? " and \(named.count - 5) more" : ""
        // An index or a trigger can be created again; what was in a table is gone.
        let isRepairable = missing.allSatisfy { $0.kind == "index" || $0.kind == "trigger" }
        return bad(
            "objects",
            "\(titles)\(more) \(named.count == 1 ? "is" : "are") missing: the database was changed by other means.",
            isRepairable ? repair : restore
        )
    }

    static func integrity(_ lines: [String], isThorough: Bool) -> Self {
        guard lines != ["ok"] else {
            return good("integrity", isThorough ? "ok" : "ok; --full looks at indexes and references too")
        }
        let isIndexOnly = lines.allSatisfy { $0.contains("missing from index") || $0.contains("entries in index") }
        return isIndexOnly
            ? bad("integrity", "An index is out of step: \(lines.joined(separator: "; ")).", repair)
            : bad(
                "integrity",
                "It is damaged: \(lines.joined(separator: "; ")). Stop the server before you restore.",
                restore
            )
    }

    static func references(_ lines: [String]) -> Self {
        guard let first = lines.first else { return good("references", "ok") }
        return bad("references", "\(first): the database was changed by other means.", restore)
    }

    static func storeRow(in database: Database) throws -> Self {
        let problem = try DatabaseFlaws.ownRow(in: database)
        return problem.map { bad("store", $0, restore) } ?? good("store", "its own row is there")
    }

    static func counters(in database: Database) throws -> Self {
        let (counted, problem) = try DatabaseFlaws.counters(in: database)
        return problem.map { bad("counters", $0, repair) } ?? good("counters", Quantity.text(counted, "user"))
    }

    static func dayTotals(in database: Database) throws -> Self {
        let days = try DatabaseFlaws.wrongDays(in: database)
        guard let first = days.first else { return good("day totals", "those of every day are its counts") }
        let more = days.count > 1 ? " and \(Quantity.text(days.count - 1, "more day"))" : ""
        let message = "The totals of \(Day(number: first))\(more) aren't the sums of what was counted."
        return bad("day totals", message, repair)
    }

    static func logPosition(in database: Database) throws -> Self {
        let (last, kept) = try DatabaseFlaws.logPosition(in: database)
        guard kept < last else { return good("log position", "\(kept)") }
        let message = "The log of events ends at position \(last), but the database counts \(kept): exports end there."
        return bad("log position", message, repair)
    }

    static func events(in database: Database, at now: UnixTime?) throws -> Self {
        try DatabaseFlaws.eventLog(in: database, at: now).finding(restoration: restore)
    }

    /// The server starts with no key, and creates one, but not with one that it can't read.
    static func unreadableKey(_ problem: StoreError) -> Self {
        bad(
            "secrets",
            "\(problem.message) Put your copy of it back; where there is none, remove the file first.",
            "placard secrets reset --confirm"
        )
    }

    static func secrets(in database: Database, _ secrets: StoreSecrets) throws -> Self {
        func warning(_ message: String, _ command: String) -> Self {
            Self(level: .warning, subject: "secrets", message: message, command: command)
        }
        if try SealedColumn.isAnyReadable(in: database) {
            return warning("Secrets of an older version aren't encrypted yet. Start the server once.", "placard serve")
        }
        guard let id = try database.registeredKey() else { return good("secrets", "none so far") }
        let isSealed = try database.isAnySealed()
        if secrets.key(id) == nil, isSealed {
            return bad("secrets", secrets.locked(id).message, "placard secrets reset --confirm")
        }
        let name = SecretsKey.name(of: id)
        guard secrets.key(id) != nil else {
            let message =
                "The key \(name) is missing. Nothing in the database is encrypted with it, and a server that starts "
                + "creates another; backups may need it."
            return Self(level: .warning, subject: "secrets", message: message)
        }
        if let newest = secrets.newestKeyID, newest != id {
            return warning("Key \(name) isn't the newest one in the file.", "placard secrets rotate --prepared")
        }
        return good("secrets", "encrypted with key \(name)")
    }

    static func journal(_ mode: String) -> Self {
        guard mode != "wal" else { return good("journal", "wal") }
        return Self(
            level: .warning,
            subject: "journal",
            message: "\(mode): a backup that no server has opened yet, or a file system without shared memory."
        )
    }
}
