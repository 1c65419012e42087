import CardModel
import CardStore

@testable import CardServer

/// A picture of two sizes, and the surroundings of a client in which no time passes.
enum BucketFixture {
    static let item = MediaItem(
        id: String(repeating: "b", count: 32),
        name: "b.png",
        format: .png,
        width: 960,
        height: 9,
        widths: [960, 480],
        bytes: 3,
        createdAt: 1
    )
    static let files = [MediaFile(width: 960, bytes: [1, 2]), MediaFile(width: 480, bytes: [3])]

    /// Makes surroundings that are patient, however busy the machine is, and do something in place of each wait.
    static func surroundings(
        uptime: @escaping @Sendable () -> Double = { 0 },
        wait: @escaping @Sendable () async throws -> Void = {}
    ) -> BucketClient.Surroundings {
        var surroundings = BucketClient.Surroundings(clock: { 1_800_000_000 }, uptime: uptime)
        surroundings.wait = { _ in try await wait() }
        surroundings.patience = 12
        return surroundings
    }
}
