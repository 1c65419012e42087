import ArgumentParser
import Foundation
import WireJSON

/// The command `placard prune`.
struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forgets events and used triggers that are older than the settings keep them.",
        discussion: """
            placard prune --database sqlite:cards.sqlite

            `event_days` in the settings says for how many days events are kept, and what backends sent once it was used
            or has run out. What was counted is kept for ever, and so are users, cards and conversions. Run it daily, while the server runs. The space is used again by later
            events; the file does not become smaller.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let pruned = try await database.withStore { store in
            guard let days = try await store.catalog().settings.eventDays else {
                throw CommandFailure("The settings keep events for ever. Set event_days first: PUT /v1/settings.")
            }
            let start = Date().timeIntervalSince1970 - Double(days) * 86_400
            return (
                events: try await store.pruneEvents(before: start),
                triggers: try await store.pruneTriggers(before: start)
            )
        }
        if json {
            return Console.write([
                // safe: counts of rows
                "pruned": .integer(Int64(pruned.events)), "pruned_triggers": .integer(Int64(pruned.triggers)),
            ])
        }
        func counted(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        Console.write("Forgot \(counted(pruned.events, "event")) and \(counted(pruned.triggers, "trigger")).")
    }
}
