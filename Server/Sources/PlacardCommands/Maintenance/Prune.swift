import ArgumentParser
import CardModel
import CardStore
import Foundation
import WireJSON

/// The command `placard prune`.
struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Forgets events, used triggers, audit entries and versions that are older than the settings keep them.",
        discussion: """
            placard prune --database sqlite:cards.sqlite

            `event_days` in the settings says for how many days events are kept, and what backends sent once it was \
            used or has run out; `audit_days` for how many entries of the audit log, which verifies from there on; \
            and `version_days` for how many earlier versions of campaigns. What was counted is kept for ever, and so \
            are users, cards and conversions. Run it daily, while the server runs. The space is used again by later \
            events; the file does not become smaller.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    /// The numbers of what was forgotten.
    private struct Counts {
        var events = 0
        var triggers = 0
        var auditEntries = 0
        var versions = 0
    }

    func run() async throws {
        let pruned = try await database.withStore(for: .writing) { store in
            let settings = try await store.settings()
            // A timer that runs it is no reason for an alarm.
            if settings.eventDays == nil, settings.auditDays == nil, settings.versionDays == nil {
                Console.note(
                    "The settings keep everything for ever. Set event_days, audit_days or version_days: "
                        + "PATCH /v1/settings."
                )
            }
            return try await prune(store, settings, at: Date().timeIntervalSince1970)
        }
        if json {
            return Console.write([
                // safe: counts of rows
                "pruned": .integer(Int64(pruned.events)), "pruned_triggers": .integer(Int64(pruned.triggers)),
                "pruned_audit_entries": .integer(Int64(pruned.auditEntries)),
                // safe: Int64 holds every Int
                "pruned_versions": .integer(Int64(pruned.versions)),
            ])
        }
        func counted(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let audit = pruned.auditEntries == 1 ? "1 audit entry" : "\(pruned.auditEntries) audit entries"
        Console.write(
            "Forgot \(counted(pruned.events, "event")), \(counted(pruned.triggers, "trigger")), \(audit) and "
                + "\(counted(pruned.versions, "version"))."
        )
    }

    private func prune(_ store: any CardStore, _ settings: Settings, at now: UnixTime) async throws -> Counts {
        func start(_ days: Int?) -> UnixTime? { days.map { now - Double($0) * 86_400 } }
        var counts = Counts()
        if let start = start(settings.eventDays) {
            counts.events = try await store.pruneEvents(before: start)
            counts.triggers = try await store.pruneTriggers(before: start)
        }
        if let start = start(settings.versionDays) {
            counts.versions = try await store.pruneCampaignVersions(before: start)
        }
        if let start = start(settings.auditDays) {
            counts.auditEntries = try await store.pruneAudit(before: start, at: now, by: .command)
        }
        return counts
    }
}
