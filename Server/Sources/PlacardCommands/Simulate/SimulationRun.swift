import CommandSettings
import Foundation
import Simulation

/// Runs server and clients, kills them as planned, and in the end compares.
actor SimulationRun {
    private let settings: SimulationSettings
    private let world: SimulationWorld
    private let port: Int
    private let seconds: Double
    private var server: ChildProcess
    private var clients: [Int: ChildProcess] = [:]
    private var isFinishing = false
    private(set) var serverKills = 0
    private(set) var clientKills = 0

    init(settings: SimulationSettings, world: SimulationWorld, port: Int, seconds: Double) throws {
        self.settings = settings
        self.world = world
        self.port = port
        self.seconds = seconds
        server = try Self.startServer(settings, world, port)
    }

    private var api: ManagementClient {
        get throws {
            ManagementClient(
                server: try ServerAddress.url(SettingValues.Value(text: settings.server, origin: "server")),
                key: world.secretKey
            )
        }
    }

    /// Runs to the end of the last client.
    func run() async throws {
        try await waitForServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in 0..<settings.processes { group.addTask { try await self.superviseClients(process) } }
            group.addTask { try await self.followPlan() }
            try await group.waitForAll()
        }
    }

    /// Returns the server's numbers.
    func readServer() async throws -> LedgerComparison.ServerSide {
        try await ServerReading(api: api).read(users: (0..<settings.users).flatMap(SimulationSettings.userNames))
    }

    /// Ends the server in good order; returns whether it did so.
    func stopServer() async -> Bool {
        server.terminate()
        return await server.wait() == .exited(status: 0)
    }

    private func followPlan() async throws {
        let start = ContinuousClock.now
        if settings.hasFaults {
            for kill in KillPlan(seed: settings.seed, seconds: seconds, processes: settings.processes).kills {
                try await Task.sleep(until: start + .seconds(kill.at))
                if let process = kill.process { clients[process]?.kill() } else { try await restartServer() }
            }
        }
        try await Task.sleep(until: start + .seconds(seconds))
        try await waitForServer()
        isFinishing = true
        for client in clients.values { client.closeInput() }
    }

    private func restartServer() async throws {
        server.kill()
        _ = await server.wait()
        serverKills += 1
        server = try Self.startServer(settings, world, port)
    }

    /// Starts the clients of one process, again and again where it is killed, until they are done.
    private func superviseClients(_ process: Int) async throws {
        for life in 0... {
            let child = try startClients(process, life: life)
            clients[process] = child
            if isFinishing { child.closeInput() }
            switch await child.wait() {
            case .exited(status: 0): return
            case .killed(signal: SIGKILL): clientKills += 1
            case let ending:
                throw CommandError(
                    "Client process \(process): \(ending). See \(settings.path("clients-\(process).log"))."
                )
            }
        }
    }

    private func startClients(_ process: Int, life: Int) throws -> ChildProcess {
        try ChildProcess(
            arguments: ["simulate-clients", "--process", "\(process)", "--life", "\(life)"],
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

    private func waitForServer() async throws {
        let api = try api
        for _ in 0..<300 {
            if (try? await api.get("settings")) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw CommandError("The server does not answer: see \(settings.path("server.log")).")
    }
}
