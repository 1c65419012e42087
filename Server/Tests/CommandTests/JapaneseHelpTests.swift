import ArgumentParser
import CommandHelp
import Terminal
import Testing

@testable import PlacardCommands

@Suite("The command's help in Japanese")
struct JapaneseHelpTests {
    /// The pages of all commands that people see.
    private static let pages: [(command: HelpTests.Command, text: String)] = HelpTests.Command.all
        .filter { $0.type.configuration.shouldDisplay }
        .map { ($0, $0.type.helpMessage(columns: 1_000_000)) }

    private static func catalog() throws -> HelpCatalog { try #require(HelpCatalog(language: .japanese)) }

    @Test("The catalog has every text of the help, and no other")
    func complete() throws {
        var asked: Set<String> = []
        for (command, text) in Self.pages {
            let page = try #require(HelpPage(text), "\(command.testDescription) has a page that isn't understood")
            _ = page.rendered(columns: 80) { text in
                asked.insert(text)
                return text
            }
        }
        let known = try Set(Self.catalog().texts.keys)
        let missing = asked.subtracting(known).sorted()
        #expect(missing.isEmpty, "Add to CommandHelp/Assets/ja.json: \(missing)")
        let unused = known.subtracting(asked).sorted()
        #expect(unused.isEmpty, "Remove from CommandHelp/Assets/ja.json: \(unused)")
    }

    @Test("A translation names the same options, settings and permissions as its original")
    func names() throws {
        for (english, text) in try Self.catalog().texts {
            let name = /--[a-z][a-z-]+|PLACARD_[A-Z_]+|`[^`]+`|\{\d\}|SIG[A-Z]+/
            let (expected, found) = (english.matches(of: name), text.matches(of: name))
            #expect(Set(expected.map { String($0.output) }) == Set(found.map { String($0.output) }), "\(text)")
        }
    }

    @Test("No line of a text is too wide for the terminal", arguments: [60, 80])
    func width(_ columns: Int) throws {
        let catalog = try Self.catalog()
        for (command, text) in Self.pages {
            let page = try #require(HelpPage(text)).rendered(columns: columns, say: catalog.text)
            for line in page.split(separator: "\n") where !line.hasPrefix("使い方：") && !line.hasPrefix("  -") {
                #expect(DisplayWidth.of(line) <= columns, "\(command.testDescription): \(line)")
            }
        }
    }

    @Test("Help is in Japanese where the environment asks for it, and a version is as it was")
    func environment() {
        let japanese = ["LANG": "ja_JP.UTF-8", "COLUMNS": "80"]
        let help = CleanExit.helpRequest(CampaignCommand.self)
        #expect(HelpText.of(help, environment: japanese).hasPrefix("概要："))
        #expect(HelpText.of(help, environment: ["LANG": "de_DE.UTF-8"]).hasPrefix("OVERVIEW: "))
        let version = HelpText.of(CleanExit.message("1.2.3"), environment: japanese)
        #expect(version == "1.2.3")
    }
}
