import ArgumentParser
import CardServer
import CommandSettings
import Foundation

/// The process of the `placard` command.
package enum PlacardProcess {
    /// Runs the command that the arguments of the process name, and ends the process with its exit status.
    package static func run() async { await Placard.main() }
}

/// The whole command, with its sub-commands.
struct Placard: AsyncParsableCommand {
    /// Runs the command; whatever it creates, only its own account can read.
    static func main() async {
        // Before anything else: a server ends in good order however early it is asked to, and never by SIGHUP.
        if let command = CommandLine.arguments.dropFirst().first, ["serve", "demo"].contains(command) {
            EarlySignals.hold()
        }
        umask(0o077)
        StandardStreams.holdPlaces()
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Console.finish()
        } catch {
            end(with: error)
        }
    }

    /// Ends the process; the message of a setting that can't be used says what to write instead, so no usage follows
    /// it.
    private static func end(with error: any Error) -> Never {
        if let error = error as? ConfigurationError {
            Console.note("Error: \(error)")
            exit(withError: status(of: error))
        }
        let isHelp = exitCode(for: error).isSuccess
        guard isHelp || error is ExitCode else { exit(withError: error) }
        let text = isHelp ? HelpText.of(error) : ""
        if !text.isEmpty { Console.write(text) }
        do throws(CommandError) {
            try Console.finish()
        } catch {
            // No other status counts where the result isn't whole.
            exit(withError: error)
        }
        exit(withError: isHelp ? nil : error)
    }

    /// The exit status that says what kind of failure it was: a setting that can't be used is wrong usage, whether a
    /// flag, the environment or the file has it.
    static func status(of error: any Error) -> ExitCode {
        error is ConfigurationError ? .validationFailure : exitCode(for: error)
    }

    static let configuration = CommandConfiguration(
        commandName: "placard",
        abstract: "Content cards that you host yourself: the server and its tools.",
        discussion: """
            placard demo                          a server with sample campaigns
            placard serve --database sqlite:PATH  a server
            placard campaign apply spring.yaml    makes a campaign, or changes it
            placard pull | diff | apply DIR       a workspace as files
            placard report spring                 what was counted

            Options of serve, and those for the database, the server and the key, can be set in the environment \
            (PLACARD_DATABASE, PLACARD_PORT, PLACARD_KEY ...) and in a \
            file placard.yaml in the working directory (or --config FILE). A flag beats the environment, and the \
            environment beats the file. The exit status is 0 for success, 64 for wrong usage (an \
            argument, a flag or a setting that can't be used) and 1 for every other failure.
            """,
        version: BuildInformation.description,
        subcommands: [ProcessImage.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    Serve.self, Demo.self, Migrate.self, Copy.self, Backup.self, Restore.self, RepairCommand.self,
                    Prune.self, AuditCommand.self, Doctor.self, SecretsCommand.self, ShardsCommand.self, Routes.self,
                ]
            ),
            CommandGroup(name: "Access", subcommands: [AdminCommand.self, KeyCommand.self]),
            CommandGroup(
                name: "Content",
                subcommands: [
                    CampaignCommand.self, ContentTypesCommand.self, AudienceCommand.self, ReportCommand.self, Feed.self,
                    UsersCommand.self,
                    LiquidCommand.self, ExportCommand.self, TriggerCommand.self, TestSendCommand.self,
                    ExplainCommand.self,
                ]
            ),
            CommandGroup(
                name: "Files",
                subcommands: [PullCommand.self, DiffCommand.self, ApplyCommand.self, ImportCommand.self]
            ),
            CommandGroup(name: "Agents", subcommands: [AgentCommand.self]),
            CommandGroup(name: "Proof", subcommands: [Simulate.self, SimulateClients.self]),
        ]
    )
}
