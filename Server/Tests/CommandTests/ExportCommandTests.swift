import CardModel
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import PlacardCommands

/// `placard export events`, on a database with events.
struct ExportCommandTests {
    private static let now: UnixTime = 1_800_000_000

    /// Keeps events of one user, of which every second one is the start of a session.
    private static func addEvents(_ numbers: Range<Int>, to database: CommandDatabase) async throws {
        let store = try SQLiteCardStore(path: database.path)
        let user = UserID(rawValue: "anna")
        _ = try await store.updateUsers([UserUpdate(id: user)], at: now)
        let events = numbers.map { number in
            DeviceEvent(
                id: EventID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number)),
                kind: number % 2 == 0 ? .sessionStart : .custom(name: "opened, \"twice\""),
                at: now + Double(number)
            )
        }
        _ = try await store.recordEvents(EventBatch(user: user, events: events, receivedAt: now + 1_000))
        try await store.close()
    }

    /// Exports into a file, and returns its lines.
    private static func lines(_ database: CommandDatabase, _ words: [String] = []) async throws -> [JSONValue] {
        let name = "\(UUID().uuidString).jsonl"
        let location = ["--database", "sqlite:\(database.path)", "--output", database.folder.path(name)]
        let outcome = await CommandOutcome.run(["export", "events"] + words + location)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.everything)")
        let lines = try database.folder.text(of: name).split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(outcome.notes.hasPrefix("Wrote \(lines.count) events; the log ends at position "))
        return lines
    }

    /// The numbers of events, by the last digits of their ids.
    private static func numbers(_ lines: [JSONValue]) -> [Int] {
        lines.compactMap { $0["id"]?.string }.compactMap { Int($0.suffix(4)) }
    }

    @Test func `Each event is a line, in the order of positions that only grow`() async throws {
        try await CommandDatabase.with { database in
            try await Self.addEvents(0..<5, to: database)
            let lines = try await Self.lines(database)
            #expect(Self.numbers(lines) == [0, 1, 2, 3, 4])
            let positions = lines.compactMap { $0["position"]?.integer }
            #expect(positions.count == 5 && zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
            #expect(lines.allSatisfy { $0["user_id"] == "anna" })
        }
    }

    @Test func `Only what is asked for is written, from the first moment to before the last`() async throws {
        try await CommandDatabase.with { database in
            try await Self.addEvents(0..<6, to: database)
            let sessions = try await Self.lines(database, ["--type", "session_start"])
            #expect(Self.numbers(sessions) == [0, 2, 4])
            let both = ["--type", "session_start", "--type", "custom"]
            #expect(try await Self.lines(database, both).count == 6)
            let from = Timestamp.text(of: Self.now + 2)
            let until = Timestamp.text(of: Self.now + 4)
            let between = try await Self.lines(database, ["--from", from, "--until", until])
            #expect(Self.numbers(between) == [2, 3])
            #expect(try await Self.lines(database, ["--from", until, "--until", from]).isEmpty)
            #expect(try await Self.lines(database, ["--campaign", "nope"]).isEmpty)
            #expect(try await Self.lines(database, ["--after", "\(Int64.max)"]).isEmpty)
            let first = try #require(try await Self.lines(database).first?["position"]?.integer)
            let after = try await Self.lines(database, ["--after", "\(first)"])
            #expect(Self.numbers(after) == [1, 2, 3, 4, 5])
        }
    }

    @Test(
        "An export that goes on has each event once, wherever it was cut",
        arguments: ["jsonl", "csv"],
        [0, 1, 5, 60]
    )
    func resumed(_ format: String, _ cut: Int) async throws {
        try await CommandDatabase.with { database in
            try await Self.addEvents(0..<3, to: database)
            let file = database.folder.path("events")
            let words = ["--format", format, "--output", file]
            func export(_ more: [String]) async -> CommandOutcome {
                let location = ["--database", "sqlite:\(database.path)"]
                return await CommandOutcome.run(["export", "events"] + words + more + location)
            }
            #expect(await export([]).status == 0)
            let whole = try database.folder.text(of: "events")
            // A process that was killed leaves a part of a line.
            try database.folder.write(String(whole.dropLast(cut)), to: "events")
            try await Self.addEvents(3..<5, to: database)
            let outcome = await export(["--resume"])
            #expect(outcome.status == 0, "\(outcome.everything)")
            let text = try database.folder.text(of: "events")
            #expect(text.hasPrefix(whole))
            for number in 0..<5 {
                #expect(text.components(separatedBy: "8000-00000000000\(number)").count == 2, "\(number)")
            }
            // Once more, there is nothing to add.
            #expect(await export(["--resume"]).notes.hasPrefix("Wrote 0 events;"))
            #expect(try database.folder.text(of: "events") == text)
        }
    }

    @Test func `A text with commas and quotes stays one field`() async throws {
        try await CommandDatabase.with { database in
            try await Self.addEvents(1..<2, to: database)
            let file = database.folder.path("events.csv")
            #expect(await database.run("export", "events", "--format", "csv", "--output", file).status == 0)
            let lines = try database.folder.text(of: "events.csv").components(separatedBy: "\r\n")
            #expect(lines.count == 3 && lines[1].contains(#","opened, ""twice""","#) && lines[2].isEmpty)
        }
    }

    @Test func `A file that can't be made is an error, and a file of exports is its owner's alone`() async throws {
        try await CommandDatabase.with { database in
            for path in [database.folder.path("none/events.jsonl"), database.folder.path, ""] {
                let outcome = await database.run("export", "events", "--output", path)
                #expect(outcome.status == 1 && outcome.output.isEmpty && !outcome.message.isEmpty, "\(path)")
            }
            let file = database.folder.path("events.jsonl")
            #expect(await database.run("export", "events", "--output", file).status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
            let dangling = database.folder.path("link.jsonl")
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "elsewhere.jsonl")
            #expect(await database.run("export", "events", "--output", dangling).status == 1)
            #expect(!FileManager.default.fileExists(atPath: database.folder.path("elsewhere.jsonl")))
        }
    }
}
