import ArgumentParser
import CardServer
import Foundation
import Testing

@testable import PlacardCommands

/// What holds for every command: its help, its options, and numbers that can't be meant.
struct CommandSurfaceTests {
    /// The commands that people see; others are started by these.
    private static let commands = HelpTests.Command.all.filter { $0.type.configuration.shouldDisplay }

    /// Returns the error with which a command refuses some words, or `nil` where it takes them.
    ///
    /// Its status and its text each have the command's help made, which takes longer than to read the words.
    private static func refusal(_ type: any ParsableCommand.Type, _ words: [String]) -> (any Error)? {
        do {
            _ = try type.parseAsRoot(words)
            return nil
        } catch {
            return error
        }
    }

    private static func status(_ type: any ParsableCommand.Type, _ words: [String]) -> Int32? {
        refusal(type, words).map { type.exitCode(for: $0).rawValue }
    }

    private static func text(_ type: any ParsableCommand.Type, _ words: [String]) -> String {
        refusal(type, words).map { type.fullMessage(for: $0, columns: 1_000) } ?? "taken"
    }

    /// The options of a command that have a value, as its help names them.
    private static func options(of type: any ParsableCommand.Type) -> [String] {
        let lines = type.helpMessage(columns: 1_000).split(separator: "\n")
        return lines.compactMap { $0.firstMatch(of: /^ +(?:-[a-z], )?(--[a-z][a-z-]*) </).map { String($0.output.1) } }
    }

    @Test("Help says what the command does, and how it is called", arguments: commands)
    func help(_ command: HelpTests.Command) {
        let abstract = command.type.configuration.abstract
        let text = command.type.helpMessage(columns: 1_000)
        #expect(!abstract.isEmpty && text.contains("USAGE: ") && text.contains(abstract), "\(text)")
    }

    @Test("An option without its value is wrong usage, and is named", arguments: commands)
    func missingValues(_ command: HelpTests.Command) {
        let options = Self.options(of: command.type)
        for option in options {
            let text = Self.text(command.type, [option])
            #expect(text.contains("Missing value for '\(option)"), "\(text)")
        }
        // The status is that of the kind of error, which each text names.
        if let option = options.first { #expect(Self.status(command.type, [option]) == 64) }
    }

    @Test func `Options are found in the help of commands that have some`() {
        #expect(Set(Self.options(of: KeyCreate.self)).isSuperset(of: ["--name", "--kind", "--expires", "--database"]))
        #expect(Set(Self.options(of: ExportEvents.self)).isSuperset(of: ["--output", "--after", "--config"]))
        #expect(Self.options(of: Routes.self).isEmpty)
    }

    @Test func `Every command writes its result as JSON, but for those whose output has a form of its own`() {
        let leaves = Self.commands.filter { $0.type.configuration.subcommands.isEmpty }
        let without = leaves.filter { !$0.type.helpMessage(columns: 1_000).contains("--json") }
        let names = Set(without.map { $0.testDescription })
        #expect(names == ["Serve", "Demo", "LiquidCommand", "ExportEvents", "AgentCommand"])
    }

    @Test("A flag that there isn't, and a word too many, are wrong usage", arguments: commands)
    func unknown(_ command: HelpTests.Command) {
        #expect(Self.status(command.type, ["--nonexistent-flag"]) == 64)
        #expect(Self.status(command.type, ["a", "b", "c", "d"]) == 64)
    }

    @Test func `The version is the one of this build, on a line of its own`() {
        let text = Self.text(Placard.self, ["--version"])
        #expect(Self.status(Placard.self, ["--version"]) == 0)
        #expect(text == BuildInformation.description && !text.contains("\n"))
    }

    @Test(
        "A number that can't be meant is refused before anything is done",
        arguments: [
            "simulate --users 0", "simulate --users 10001", "simulate --users=-1", "simulate --users 1.5",
            "simulate --seconds nan", "simulate --seconds inf", "simulate --seconds=-inf", "simulate --seconds 0.5",
            "simulate --seconds 86401", "simulate --pause nan", "simulate --pause 0", "simulate --pause 61",
            "simulate --pause=-0.01", "simulate --processes 0", "simulate --processes 65", "simulate --seed=-1",
            "simulate --seed 18446744073709551616", "backup b --keep 0", "backup b --keep 9223372036854775808",
            "doctor --ready --wait=-1", "doctor --ready --wait inf", "campaign history a --limit 0",
            "campaign history a --limit 1001", "export events --after=-1", "export events --after nan",
            "key create --name a --kind secret --expires nan", "key rotate key_1 --overlap inf",
            "shards set 1.5 postgres://db2/n", "shards set nan postgres://db2/n",
        ]
    )
    func numbers(_ line: String) async {
        let outcome = await CommandOutcome.run(line.split(separator: " ").map(String.init))
        #expect(outcome.status == 64 && outcome.output.isEmpty && !outcome.message.isEmpty)
    }

    @Test(
        "A feed is of a user who can be, and is shown in one way",
        arguments: [
            [], ["--user", ""], ["--user", "a\nb"], ["--user", "\u{202E}a"], ["--user", "a", "--plain", "--json"],
        ]
    )
    func feeds(_ words: [String]) async {
        let outcome = await CommandOutcome.run(["feed"] + words + ["--key", "pk_hush"])
        #expect(outcome.status == 64 && outcome.output.isEmpty && !outcome.everything.contains("pk_hush"))
    }
}
