import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

extension EventFormat: ExpressibleByArgument {}

/// The command `placard export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports data for other programs.",
        subcommands: [ExportEvents.self]
    )
}

/// The command `placard export events`.
struct ExportEvents: AsyncParsableCommand {
    private static let pageSize = 1000

    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Writes the log of events, one line each, in the order in which they were kept.",
        discussion: """
            placard export events --output events.jsonl
            placard export events --output events.jsonl --resume
            placard export events --after 120000 --type purchase --format csv

            Every line begins with the event's position in the log, which only grows: who remembers the last one \
            misses nothing and gets nothing twice. The server can keep running.
            """
    )

    @Option(help: ArgumentHelp("Only events after that position.", valueName: "position"))
    var after: Int64?

    @Option(help: "Only events of that type; may be given several times.")
    var type: [String] = []

    @Option(help: ArgumentHelp("Only events about that campaign's cards.", valueName: "id"))
    var campaign: String?

    @Option(help: ArgumentHelp("Only events that happened at that time (ISO 8601) or later.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("Only events that happened before that time (ISO 8601).", valueName: "time"))
    var until: String?

    @Option(help: "How events are written.")
    var format = EventFormat.jsonl

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file; standard output where there is none.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Goes on after the last whole line of the file.")
    var resume = false

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if let unknown = type.first(where: { !EventFilter.typeNames.contains($0) }) {
            throw ValidationError(
                "There is no event type \(unknown): \(EventFilter.typeNames.joined(separator: ", "))."
            )
        }
        if resume, output == nil { throw ValidationError("--resume needs --output.") }
        if resume, after != nil { throw ValidationError("Give --after or --resume: the file says where it ends.") }
        if let after, after < 0 { throw ValidationError("--after is 0 or more.") }
        _ = try filter()
    }

    func run() async throws {
        let filter = try filter()
        let target = try ExportTarget(path: output, format: format, resumes: resume)
        let start = after ?? target.position
        let (count, end, unreadable) = try await database.withStore(for: .reading) { store in
            var position = start
            var count = 0
            var unreadable: [Int64] = []
            while true {
                let page = try await store.eventPage(after: position, filter, limit: Self.pageSize)
                try target.write(page.events)
                count += page.events.count
                unreadable += page.unreadable
                position = page.position
                if page.isLast { return (count, position, unreadable) }
            }
        }
        Console.note("Wrote \(Quantity.text(count, "event")); the log ends at position \(end).")
        guard let first = unreadable.first else { return }
        Console.note(
            "Left out \(unreadable.count) event\(unreadable.count == 1 ? "" : "s") that can't be read, "
                + "from position \(first) on. `placard doctor --full` says what helps."
        )
    }

    private func filter() throws -> EventFilter {
        var filter = EventFilter()
        filter.types = Set(type)
        if let campaign {
            guard let id = CampaignID(checking: campaign) else {
                throw ValidationError("\(campaign) cannot be a campaign's id.")
            }
            filter.campaign = id
        }
        filter.from = try Self.time(from, "--from")
        filter.until = try Self.time(until, "--until")
        return filter
    }

    private static func time(_ text: String?, _ name: String) throws -> UnixTime? {
        guard let text else { return nil }
        guard let time = Timestamp.unixTime(of: text) else {
            throw ValidationError("\(name) has to be an ISO 8601 time such as 2027-01-31T09:00:00Z.")
        }
        return time
    }
}
