import ArgumentParser
import CardModel
import CardServer
import CardStore
import CommandSettings
import Foundation
import Logging

/// The command `placard demo`.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a server with sample campaigns, to try things.",
        discussion: """
            Keeps its database and keys in .placard/demo, so what you make is still there the next time; --fresh \
            begins again in a temporary directory. Prints the address, the keys and commands to try. Only this machine \
            can reach it; --host 0.0.0.0 lets phones of the same network in, and everybody else there.
            """
    )

    private static let standardPort = 8080
    /// The ports that port 0 is chosen of: the cards' pictures have the port in their addresses before the server
    /// listens.
    private static let dynamicPorts = 49_152...65_535
    private static let standardDirectory = ".placard/demo"

    @Option("The address to listen on (default: 127.0.0.1).", value: "address")
    var host: String?

    @Option(help: ArgumentHelp("The port; without it, 8080 or the next free one.", valueName: "port"))
    var port: String?

    @Option(help: ArgumentHelp("Where the demo keeps its files.", valueName: "directory"), completion: .directory)
    var directory: String?

    @Flag(help: "Uses a new temporary directory.")
    var fresh = false

    @OptionGroup var configuration: ConfigurationOptions

    func validate() throws {
        if fresh, directory != nil { throw ValidationError("--fresh and --directory exclude each other.") }
    }

    func run() async throws {
        var options = PlacardServer.Options()
        options.acceptsClock = true
        // There is no other server that apps could go to.
        options.limits.reconnectSeconds = 0
        options.host = try configuration.values().value(of: .host, flag: host)?.text ?? options.host
        options.port = try choosePort(options.host)
        let directory = try makeDirectory()
        options.images = ImageSubprocess.ofThisProgram
        let logger = try ServerLogging.start(
            level: SettingValues.Value(text: "warning", origin: "demo"),
            format: nil
        )
        let host = options.host
        let keys = DemoKeys(file: directory.appending(path: "keys.json"))
        let database = directory.appending(path: "demo.sqlite").path
        let samples = DemoSamples(address: DemoSamples.address(host, options.port), options: options, logger: logger)
        try await ServerRun(location: .sqlite(path: database), options: options, logger: logger).run { store in
            try await keys.prepare(in: store)
            try await samples.add(to: store)
        } onReady: { port, dashboard in
            guard let secrets = keys.secrets else { return }
            let address = ServerRun.address(host, port)
            Console.announce(
                DemoGreeting(address: address, dashboard: dashboard, secrets: secrets, database: database).text
            )
        }
    }

    private func choosePort(_ host: String) throws -> Int {
        let wanted = try configuration.values().value(of: .port, flag: port)
        if let wanted {
            let port = try Port.number(wanted)
            guard port == 0 else {
                try PortProbe.check(host, port: port)
                return port
            }
            return Self.dynamicPorts.shuffled().first { PortProbe.look(at: host, port: $0) == .free } ?? port
        }
        let ports = Self.standardPort..<Self.standardPort + 100
        guard let free = ports.first(where: { PortProbe.look(at: host, port: $0) == .free }) else {
            throw CommandError("No port of \(ports) is free. Give one by --port.")
        }
        if free != Self.standardPort { Console.note("Port \(Self.standardPort) is in use; the demo takes \(free).") }
        return free
    }

    private func makeDirectory() throws -> URL {
        let url =
            fresh
            ? FileManager.default.temporaryDirectory.appending(path: "placard-demo-\(RandomText.letters(8))")
            : URL(filePath: directory ?? Self.standardDirectory)
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandError("\(url.path) cannot be made. Give another place by --directory.")
        }
        return url
    }
}

extension CardStore {
    /// Keeps a new campaign as a draft and launches it, as a person would.
    func launch(_ campaign: Campaign) async throws {
        let draft = Campaign(id: campaign.id, content: campaign.content, createdAt: campaign.createdAt)
        try await insertCampaign(draft, by: .command)
        _ = try await updateCampaign(campaign, from: draft.version, action: "campaign.launch", by: .command)
    }
}
