import CardModel
import Foundation
import Simulation
import WireJSON

/// Runs server and clients, kills them as planned, and in the end compares.
actor SimulationRun {
    private let settings: SimulationSettings
    private let world: SimulationWorld
    private let port: Int
    private let seconds: Double
    private var server: ChildProcess
    private var clients: [ChildProcess] = []
    private var lives: [Int]
    private(set) var serverKills = 0
    private(set) var clientKills = 0

    init(settings: SimulationSettings, world: SimulationWorld, port: Int, seconds: Double) throws {
        self.settings = settings
        self.world = world
        self.port = port
        self.seconds = seconds
        lives = Array(repeating: 0, count: settings.processes)
        server = try Self.startServer(settings, world, port)
    }

    /// Runs to the end of the last client.
    func run() async throws {
        let api = ManagementClient(server: URL(string: settings.server) ?? URL(filePath: "/"), key: world.secretKey)
        try await waitForServer(api)
        for process in 0..<settings.processes { clients.append(try startClients(process)) }
        let start = ContinuousClock.now
        if settings.hasFaults {
            for kill in KillPlan(seed: settings.seed, seconds: seconds, processes: settings.processes).kills {
                try await Task.sleep(until: start + .seconds(kill.at))
                try await perform(kill)
            }
        }
        try await Task.sleep(until: start + .seconds(seconds))
        try await waitForServer(api)
        for client in clients { client.closeInput() }
        for (process, client) in clients.enumerated() {
            let status = await client.wait()
            guard status == 0 else {
                throw CommandFailure(
                    "Client process \(process) ended with status \(status): see \(settings.path("clients-\(process).log"))."
                )
            }
        }
    }

    /// What the server says, after which it is no longer needed.
    func readServer() async throws -> Comparison.ServerSide {
        let api = ManagementClient(server: URL(string: settings.server) ?? URL(filePath: "/"), key: world.secretKey)
        return try await ServerReading(api: api).read(users: (0..<settings.users).flatMap(SimulationSettings.userNames))
    }

    /// Ends the server in good order and returns its exit status.
    func stopServer() async -> Int32 { await server.terminate() }

    private func perform(_ kill: KillPlan.Kill) async throws {
        guard let process = kill.process else {
            await server.kill()
            serverKills += 1
            server = try Self.startServer(settings, world, port)
            return
        }
        await clients[process].kill()
        clientKills += 1
        lives[process] += 1
        clients[process] = try startClients(process)
    }

    private func startClients(_ process: Int) throws -> ChildProcess {
        try ChildProcess(
            arguments: ["simulate-clients", "--process", "\(process)", "--life", "\(lives[process])"],
            input: settings.json.text,
            outputPath: settings.path("clients-\(process).log")
        )
    }

    private static func startServer(
        _ settings: SimulationSettings,
        _ world: SimulationWorld,
        _ port: Int
    ) throws -> ChildProcess {
        try ChildProcess(
            arguments: [
                "serve", "--database", "sqlite:\(world.databasePath)", "--port", "\(port)", "--log-level", "warning",
            ],
            outputPath: settings.path("server.log")
        )
    }

    private func waitForServer(_ api: ManagementClient) async throws {
        for _ in 0..<300 {
            if (try? await api.get("settings")) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandFailure("The server does not answer: see \(settings.path("server.log")).")
    }
}

/// Reads everything that a comparison needs from the server.
struct ServerReading {
    private static let eventLimit = 1000

    let api: ManagementClient

    func read(users: [String]) async throws -> Comparison.ServerSide {
        var side = Comparison.ServerSide()
        for user in users { try await read(user, into: &side) }
        for campaign in try await api.get("campaigns")["campaigns"]?.array ?? [] {
            let id = campaign["id"]?.string ?? ""
            let report = try await api.get("campaigns", id, "report")
            for variant in report["variants"]?.array ?? [] {
                let place = Comparison.Place(campaign: id, variant: variant["id"]?.string ?? "")
                side.reports[place] = Comparison.Counts(variant)
            }
        }
        return side
    }

    private func read(_ user: String, into side: inout Comparison.ServerSide) async throws {
        guard let profile = try await api.find("users", user) else { return }
        for card in profile["cards"]?.array ?? [] {
            let place = Comparison.Place(
                campaign: card["campaign_id"]?.string ?? "",
                variant: card["variant_id"]?.string ?? ""
            )
            side.deliveries[place, default: 0] += 1
        }
        let limit = [URLQueryItem(name: "limit", value: "\(Self.eventLimit)")]
        let events = try await api.get("users", user, "events", query: limit)["events"]?.array ?? []
        guard events.count < Self.eventLimit else {
            throw CommandFailure("\(user) has too many events to compare. Give fewer --seconds.")
        }
        side.events += events.map { event in
            Comparison.ServerEvent(
                id: event["id"]?.string ?? "",
                user: user,
                type: event["type"]?.string ?? "",
                card: event["card_id"]?.string ?? "-"
            )
        }
    }
}

extension Comparison.Counts {
    fileprivate init(_ json: JSONValue) {
        self.init()
        delivered = json["delivered"]?.integer ?? 0
        impressions = json["impressions"]?.integer ?? 0
        uniqueImpressions = json["unique_impressions"]?.integer ?? 0
        clicks = json["clicks"]?.integer ?? 0
        uniqueClicks = json["unique_clicks"]?.integer ?? 0
        dismissals = json["dismissals"]?.integer ?? 0
    }
}
