import ArgumentParser
import CardModel
import CardServer
import Foundation
import Simulation
import Terminal
import WireJSON

/// The command `placard simulate`.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs many real clients against a real server and checks that every count is exact.",
        discussion: """
            placard simulate --users 50 --seconds 20
            placard simulate --users 200 --seconds 60 --faults --seed 7

            Each client runs the SDK with its files on the disk and writes down each call before and after it. \
            --faults loses requests and answers, delays and repeats them, and kills (SIGKILL) and restarts the server \
            and client processes. In the end every event has to be on the server exactly once, and the reports have \
            to say exactly what happened.

            A seed fixes what every client decides, which requests go wrong and when processes are killed. Ends with \
            status 0 where nothing differs; where something does, the directory with all files is kept and named.
            """
    )

    @Option(help: "How many clients; each has two users and two devices.")
    var users = 50

    @Option(help: "For how many seconds.")
    var seconds = 20.0

    @Flag(help: "Lets things go wrong.")
    var faults = false

    @Option(help: "Repeats a run's decisions (default: a new one, which is named).")
    var seed: UInt64?

    @Option(help: "Among how many processes the clients are spread.")
    var processes = 4

    @Option(help: ArgumentHelp("The mean pause between two actions of a client, in seconds.", valueName: "seconds"))
    var pause = 1.0

    @Flag(help: "Keeps the directory with database, ledgers and logs in any case.")
    var keep = false

    @Flag(help: "Writes the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(users) else { throw ValidationError("--users is 1 to 10000.") }
        guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds is 1 to 86400.") }
        guard (1...64).contains(processes) else { throw ValidationError("--processes is 1 to 64.") }
        guard (0.01...60).contains(pause) else { throw ValidationError("--pause is 0.01 to 60.") }
    }

    func run() async throws {
        let directory = try Self.makeDirectory()
        let work = Task { try await simulate(in: directory) }
        let watch = Task {
            await EndSignal.wait()
            if Task.isCancelled { return }
            ChildProcess.killAll()
            Console.note("Interrupted; all child processes were killed. The files are in \(directory).")
            Foundation.exit(130)
        }
        let result = await work.result
        ChildProcess.killAll()
        watch.cancel()
        guard let summary = try? result.get() else {
            Console.note("The files are in \(directory).")
            _ = try result.get()
            return
        }
        if summary.isGood, !keep {
            try? FileManager.default.removeItem(atPath: directory)
        } else {
            Console.note("The files are in \(directory).")
        }
        if json { Console.write(summary.json) } else { Console.write(summary.text) }
        if !summary.isGood { throw ExitCode.failure }
    }

    private static func makeDirectory() throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "placard-simulation-\(RandomText.letters(8))")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return url.path
    }

    private func simulate(in directory: String) async throws -> SimulationSummary {
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let world = try await SimulationWorld.make(in: directory, users: users, seed: seed)
        let port = try FreePort.find()
        let settings = SimulationSettings(
            server: "http://127.0.0.1:\(port)",
            key: world.publishableKey,
            directory: directory,
            users: users,
            processes: min(processes, users),
            seed: seed,
            hasFaults: faults,
            pause: pause
        )
        let clients = Quantity.text(users, "client")
        Console.note("Seed \(seed): \(clients) for \(Int(seconds)) s. Processes: \(settings.processes).")
        let start = ContinuousClock.now
        let run = try SimulationRun(settings: settings, world: world, port: port, seconds: seconds)
        try await run.run()
        var summary = SimulationSummary(settings: settings, ledger: try readLedger(settings))
        summary.comparison = LedgerComparison(summary.ledger, try await run.readServer())
        summary.kills = (await run.serverKills, await run.clientKills)
        summary.isServerOrderly = await run.stopServer()
        summary.seconds = start.duration(to: .now) / .seconds(1)
        return summary
    }

    private func readLedger(_ settings: SimulationSettings) throws -> Ledger {
        var ledger = Ledger()
        for number in 0..<users {
            let data = FileManager.default.contents(atPath: settings.path("ledger-\(number)")) ?? Data()
            ledger.add(String(decoding: data, as: UTF8.self))
        }
        return ledger
    }
}

/// Finds a port that nobody uses.
enum FreePort {
    static func find() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if PortProbe.look(at: "127.0.0.1", port: port) == .free { return port }
        }
        throw CommandError("No free port was found.")
    }
}
