import ArgumentParser
import Testing

@testable import placard

@Suite("The command's help")
struct HelpTests {
    /// The columns of a terminal that says nothing else.
    private static let columns = 80

    /// A command, by its type.
    struct Command: Sendable, CustomTestStringConvertible {
        let type: any ParsableCommand.Type

        var testDescription: String { "\(type)" }

        /// All commands, those of commands included.
        static let all: [Command] = under(Placard.self)

        private static func under(_ type: any ParsableCommand.Type) -> [Command] {
            [Command(type: type)] + type.configuration.subcommands.flatMap(under)
        }
    }

    @Test("Every command is looked at")
    func findsCommands() {
        let names = Command.all.map(\.testDescription)
        for name in ["Placard", "Serve", "Copy", "KeyCreate", "CampaignLaunch"] { #expect(names.contains(name)) }
    }

    @Test("A paragraph is one line, which the terminal's width breaks; lines of an example fit", arguments: Command.all)
    func breaksOnce(_ command: Command) {
        for paragraph in command.type.configuration.discussion.split(separator: "\n\n") {
            let lines = paragraph.split(separator: "\n")
            guard lines.count > 1 || paragraph.hasPrefix("placard ") else { continue }
            let long = lines.filter { $0.count > Self.columns }
            #expect(long.isEmpty, "would be broken a second time")
        }
    }
}
