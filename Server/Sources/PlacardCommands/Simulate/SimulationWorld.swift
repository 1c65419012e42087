import CardModel
import CardServer
import CardStore
import CommandSettings
import Foundation
import Logging
import SampleCampaigns
import WireJSON

/// The database that a simulation begins with: campaigns, users, keys.
struct SimulationWorld {
    let databasePath: String
    /// A publishable key.
    let publishableKey: String
    /// A key that may manage.
    let secretKey: String

    /// Makes the database.
    static func make(in directory: String, users: Int, seed: UInt64) async throws -> SimulationWorld {
        let path = "\(directory)/simulation.sqlite"
        let store = try await DatabaseLocation.sqlite(path: path).openStoreToServe(
            secretsKey: nil,
            logger: Logger(label: "simulation")
        )
        let now = Date().timeIntervalSince1970
        var settings = Settings()
        // The clients are to refresh as often as they like.
        settings.refreshBurst = 1000
        settings.refreshSeconds = 0
        // All of them come from one address.
        settings.deviceLimits = .unlimited
        try await store.saveSettings(settings, at: now, by: .command)
        for campaign in try SampleCampaign.launched(SampleCampaign.simulation, at: now) {
            try await store.launch(campaign)
        }
        try await addUsers(users, to: store, at: now)
        let keys = [APIKey.KeyKind.publishable, .secret].map { kind in
            KeySecret(name: "Simulation", kind: kind, permissions: [.manage], createdAt: now)
        }
        for key in keys { try await store.insertKey(key.key, by: .command) }
        try await store.close()
        return SimulationWorld(databasePath: path, publishableKey: keys[0].text, secretKey: keys[1].text)
    }

    /// Every other user is known to the backend before the app is opened; the others are made by their first sync.
    private static func addUsers(_ count: Int, to store: any CardStore, at now: UnixTime) async throws {
        let updates = (0..<count).map { client in
            UserUpdate(
                id: UserID(rawValue: SimulationSettings.userNames(of: client)[0]),
                custom: ["plan": client % 3 == 0 ? "pro" : "free", "score": .integer(Int64(client % 100))]
            )
        }
        for start in stride(from: 0, to: updates.count, by: 1000) {
            try await store.updateUsers(Array(updates[start..<min(start + 1000, updates.count)]), at: now)
        }
    }
}
