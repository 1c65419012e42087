import ArgumentParser
import CardServer
import Foundation

/// The whole command, with its sub-commands.
@main
struct Placard: AsyncParsableCommand {
    /// Runs the command; whatever it creates, only its own account can read.
    static func main() async {
        umask(0o077)
        await main(nil)
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

            Every option can be set in the environment (PLACARD_DATABASE, PLACARD_PORT, PLACARD_KEY ...) and in a \
            file placard.yaml in the working directory (or --config FILE). A flag beats the environment, and the \
            environment beats the file. The exit status is 0 for success, 1 for failure and 64 for wrong usage.
            """,
        version: BuildInformation.description,
        subcommands: [ProcessImage.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    Serve.self, Demo.self, Migrate.self, Copy.self, Backup.self, Restore.self, RepairCommand.self,
                    Prune.self, AuditCommand.self, Doctor.self, SecretsCommand.self, Routes.self,
                ]
            ),
            CommandGroup(name: "Access", subcommands: [AdminCommand.self, KeyCommand.self]),
            CommandGroup(
                name: "Content",
                subcommands: [
                    CampaignCommand.self, ContentTypesCommand.self, AudienceCommand.self, ReportCommand.self, Feed.self,
                    UsersCommand.self,
                    LiquidCommand.self, ExportCommand.self, TriggerCommand.self, ExplainCommand.self,
                ]
            ),
            CommandGroup(name: "Files", subcommands: [PullCommand.self, DiffCommand.self, ApplyCommand.self]),
            CommandGroup(name: "Proof", subcommands: [Simulate.self, SimulateClients.self]),
        ]
    )
}
