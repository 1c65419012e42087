import ArgumentParser
import CardModel
import Foundation
import Testing
import WireJSON

@testable import PlacardCommands

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

    @Test("What asks a server with a secret key says which permission that needs", arguments: Command.all)
    func namesPermission(_ command: Command) throws {
        guard command.type.helpMessage(columns: 1_000).contains("prefer PLACARD_KEY") else { return }
        let discussion = command.type.configuration.discussion
        let found = try #require(discussion.firstMatch(of: /Needs a key with the permission `([a-z.]+)`/))
        #expect(Permission(rawValue: String(found.1)) != nil)
        #expect(found.1 != "manage")
    }

    @Test("A refusal for want of a permission names the one that the server asks for")
    func refusal() throws {
        let error: JSONValue = ["code": "permission_denied", "message": "It needs the permission report."]
        let url = try #require(URL(string: "http://127.0.0.1"))
        let text = ServerError(status: 403, error: error, server: url).description
        #expect(text.contains("report") && !text.contains("manage"))
    }
}
