import Foundation
import Simulation

/// A simulated person: two users who take turns at one device, and a second device now and then.
final class SimulatedClient: Sendable {
    private let settings: SimulationSettings
    private let number: Int
    private let life: Int
    private let ledger: LedgerFile
    private let statistics: StatisticsLog
    private let isRunning: @Sendable () -> Bool

    /// Takes up the client's files and settles in the ledger what a kill left open.
    init(
        number: Int,
        life: Int,
        settings: SimulationSettings,
        statistics: StatisticsLog,
        isRunning: @escaping @Sendable () -> Bool
    ) throws {
        self.settings = settings
        self.number = number
        self.life = life
        self.statistics = statistics
        self.isRunning = isRunning
        let path = settings.path("ledger-\(number)")
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        ledger = try LedgerFile(path: path)
        for id in Self.recoveredIDs(text, settings, number) { ledger.write(.recovered(id: id)) }
    }

    /// The events of interrupted calls that stand in the queues on the disk, read before the SDK is started on them.
    private static func recoveredIDs(_ text: String, _ settings: SimulationSettings, _ number: Int) -> [String] {
        var known = Ledger()
        known.add(text)
        let open = known.openIDs
        if open.isEmpty { return [] }
        var queued: Set<String> = []
        for device in 1...2 {
            let directory = settings.path(deviceName(number, device))
            for path in FileManager.default.enumerator(atPath: directory)?.allObjects ?? [] {
                guard let path = path as? String, path.hasSuffix("/events"),
                    let data = FileManager.default.contents(atPath: "\(directory)/\(path)")
                else { continue }
                queued.formUnion(QueuedEvents.ids(in: String(decoding: data, as: UTF8.self)))
            }
        }
        return open.intersection(queued).sorted()
    }

    private static func deviceName(_ number: Int, _ device: Int) -> String { "device-\(number)-\(device)" }

    /// Lives until the run ends, then delivers everything.
    ///
    /// Returns how many events are left.
    func run() async throws -> Int {
        let users = SimulationSettings.userNames(of: number)
        let first = try device(1)
        var second: SimulatedDevice?
        var user = first.userID ?? users[0]
        await first.identify(user)
        let plan = ClientPlan(
            seed: settings.seed,
            client: number,
            life: life,
            meanPause: settings.pause,
            hasDeaths: settings.hasFaults
        )
        for step in plan {
            try? await Task.sleep(for: .seconds(step.pause))
            guard isRunning() else { break }
            if step.action == .switchUser {
                user = user == users[0] ? users[1] : users[0]
                await first.identify(user)
                await second?.identify(user)
                continue
            }
            if step.isOnSecondDevice, second == nil {
                second = try device(2)
                await second?.identify(user)
            }
            await (step.isOnSecondDevice ? second ?? first : first).perform(step, as: user)
        }
        return try await finish(first, second)
    }

    /// The second device may hold events of an earlier life even where this one did not use it.
    private func finish(_ first: SimulatedDevice, _ second: SimulatedDevice?) async throws -> Int {
        let isUsed = FileManager.default.fileExists(atPath: settings.path(Self.deviceName(number, 2)))
        let second = try second ?? (isUsed ? device(2) : nil)
        let left = await first.finish(within: 60)
        return left + (await second?.finish(within: 60) ?? 0)
    }

    private func device(_ device: Int) throws -> SimulatedDevice {
        try SimulatedDevice(
            name: Self.deviceName(number, device),
            settings: settings,
            life: life,
            ledger: ledger,
            statistics: statistics,
            isSpoiling: isRunning
        )
    }
}
