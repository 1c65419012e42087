import ArgumentParser
import CardModel
import CommandSettings
import ContentCards
import Foundation

/// The command `placard feed`.
struct Feed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows a user's feed as an app has it, and lets you view, click and dismiss.",
        discussion: """
            placard feed --user anna
            placard feed --user anna --json

            Runs the SDK itself: what changes on the server shows at once, and what you do is kept on this machine \
            until the server has it. A card counts as seen when half of it was on screen for a tenth of a second.

            --plain writes a line for each card that comes (+), changes (~) or leaves (-), and counts nothing as \
            seen. --json writes each state of the feed as a line of JSON and reads commands from standard input, one \
            a line: view N, click N, dismiss N, refresh, quit. N is a place in the list, from 1, or the id of a card.
            """
    )

    @Option(help: ArgumentHelp("The user.", valueName: "id"))
    var user: String

    @Option(help: ArgumentHelp("The server's address (default: http://127.0.0.1:8080).", valueName: "url"))
    var server: String?

    @Option(help: ArgumentHelp("A publishable key; also PLACARD_PUBLISHABLE_KEY.", valueName: "pk_…"))
    var key: String?

    @Option(
        help: ArgumentHelp("The user's token, where the server asks for one; also PLACARD_TOKEN.", valueName: "jwt")
    )
    var token: String?

    @Option(
        help: ArgumentHelp("Where the feed and undelivered events are kept.", valueName: "directory"),
        completion: .directory
    )
    var directory: String?

    @Flag(help: "Writes changes as lines.")
    var plain = false

    @Flag(help: "Writes states as JSON and reads commands.")
    var json = false

    @OptionGroup var configuration: ConfigurationOptions

    func validate() throws {
        if plain, json { throw ValidationError("--plain and --json exclude each other.") }
        guard UserID(checking: user) != nil else {
            throw ValidationError("--user has to be 1 to 512 bytes without control or directional characters.")
        }
    }

    func run() async throws {
        let client = try FeedClient(
            settings: configuration.values(),
            server: server,
            key: key,
            token: token,
            directory: directory,
            user: user
        )
        if json { return await FeedJSONSession(client).run() }
        if plain { return await FeedPlainSession(client).run() }
        guard let session = FeedTerminalSession(client) else {
            throw CommandError("There is no terminal here. Use --plain or --json.")
        }
        await session.run()
    }
}
