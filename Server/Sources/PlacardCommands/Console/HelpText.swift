import ArgumentParser
import CommandHelp
import Foundation
import Terminal

/// The text of the command at a clean end: help, a version, a script for a shell.
enum HelpText {
    /// So many columns that the parser breaks no line.
    private static let unbroken = 1_000_000

    /// The text of a clean end, in the language that the environment asks for where it is help.
    static func of(
        _ error: any Error,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        guard let catalog = HelpCatalog(language: HelpLanguage(environment: environment)),
            let page = HelpPage(Placard.fullMessage(for: error, columns: unbroken))
        else { return Placard.fullMessage(for: error, columns: nil) }
        let columns = environment["COLUMNS"].flatMap { Int($0) } ?? TerminalSize.current()?.columns ?? 80
        return page.rendered(columns: columns, say: catalog.text)
    }
}
