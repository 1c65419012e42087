import CardModel
import CardServer
import CardStore
import Foundation
import Logging
import SQLiteCardStore
import Testing

@testable import PlacardCommands

@Suite("The demo's samples")
struct DemoTests {
    /// A machine without libvips.
    private struct NoLibrary: ImageProcessing {
        func process(_ bytes: [UInt8], _ job: ImageJob) throws -> [ProcessedImage] {
            throw ImageProcessingError.libraryMissing
        }
    }

    private func withStore(_ body: (SQLiteCardStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteCardStore(path: folder.appending(path: "demo.sqlite").path)
        try await body(store)
        try await store.close()
    }

    private func samples(_ address: String, _ images: (any ImageProcessing)? = nil) -> DemoSamples {
        var options = PlacardServer.Options()
        if let images { options.images = images }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return DemoSamples(address: address, options: options, logger: logger)
    }

    private func images(in store: SQLiteCardStore) async throws -> [String] {
        let campaigns = try await store.searchCampaigns(matching: CampaignFilter(), after: nil, limit: 100)
        return campaigns.flatMap(\.content.variants).compactMap { $0.card?.image }.sorted()
    }

    @Test("show pictures of the media library, each in all sizes")
    func pictures() async throws {
        try await withStore { store in
            try await samples("http://127.0.0.1:8080").add(to: store)
            let items = try await store.mediaItems(offset: 0, limit: 100)
            #expect(items.allSatisfy { $0.widths == ImageLimits.widths && !$0.alt.isEmpty })
            #expect(try await images(in: store) == items.map { "http://127.0.0.1:8080\($0.path())" }.sorted())
            #expect(items.count == 5)
        }
    }

    @Test("follow the server to another port, and are made once")
    func anotherPort() async throws {
        try await withStore { store in
            try await samples("http://127.0.0.1:8080").add(to: store)
            let banner = CampaignID(rawValue: "demo-banner")
            let first = try #require(try await store.campaign(banner))
            var edited = first.content
            edited.name = "Mine"
            let mine = try first.updating(edited, at: 1)
            _ = try await store.updateCampaign(mine, from: first.version, action: "campaign.update", by: .command)
            // What is there needs no library.
            try await samples("http://127.0.0.1:8081", NoLibrary()).add(to: store)
            #expect(try await store.mediaItems(offset: 0, limit: 100).count == 5)
            #expect(try await images(in: store).count { $0.hasPrefix("http://127.0.0.1:8081/media/") } == 4)
            #expect(try await store.campaign(banner)?.content == edited)
        }
    }

    @Test("have no pictures where libvips is missing, and get them later")
    func withoutLibrary() async throws {
        try await withStore { store in
            try await samples("http://127.0.0.1:8080", NoLibrary()).add(to: store)
            #expect(try await store.mediaTotals().count == 0)
            #expect(try await images(in: store).isEmpty)
            #expect(try await store.campaign(CampaignID(rawValue: "demo-range"))?.status == .active)
            try await samples("http://127.0.0.1:8080").add(to: store)
            #expect(try await images(in: store).contains { $0.hasSuffix("/sale.png") })
        }
    }
}
