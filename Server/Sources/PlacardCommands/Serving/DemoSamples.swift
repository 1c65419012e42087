import CardModel
import CardServer
import CardStore
import Logging
import SampleCampaigns
import WireJSON

/// The samples with which the demo begins: users, pictures in the media library, and campaigns whose cards show them.
struct DemoSamples: Sendable {
    /// The address at which devices reach the demo, without a slash at the end.
    let address: String
    let options: PlacardServer.Options
    let logger: Logger

    /// Adds what is not there yet; what a member changed stays so.
    func add(to store: any CardStore) async throws {
        let now = options.clock()
        try await store.updateUsers(SampleUsers.demo, at: now)
        let pictures = try await pictures(in: store)
        for sample in SampleCampaign.demo(pictures: { pictures[$0] }) {
            guard let known = try await store.campaign(sample.id) else {
                try await store.launch(try sample.launched(at: now))
                continue
            }
            // The demo had another port the last time, so pictures were elsewhere.
            guard known.status == .active, sample.differsByPictures(from: known.content) else { continue }
            let moved = try known.updating(sample.content, at: now)
            _ = try await store.updateCampaign(moved, from: known.version, action: "campaign.update", by: .command)
        }
    }

    /// Returns where pictures are, after those that are missing were added; none where they can't be.
    private func pictures(in store: any CardStore) async throws -> [SamplePicture: String] {
        var items: [SamplePicture: MediaItem] = [:]
        let known = try await store.mediaItems(offset: 0, limit: 1_000).filter { $0.createdBy == Actor.command.name }
        for picture in SamplePicture.allCases {
            items[picture] = known.first { $0.name.hasSameBytes(as: picture.fileName) }
        }
        let missing = SamplePicture.allCases.filter { items[$0] == nil }
        let uploads = missing.map { MediaService.Upload(bytes: $0.bytes, fileName: $0.fileName, alt: $0.alt) }
        do {
            let added = try await PlacardServer.addPictures(uploads, to: store, options, logger)
            for (picture, item) in zip(missing, added) { items[picture] = item }
        } catch let refusal as ServiceError {
            logger.warning("The demo's cards have no pictures", metadata: ["error": "\(refusal.message)"])
            return [:]
        }
        return items.mapValues { address + $0.path() }
    }

    /// Returns where devices reach a server that listens on a host: on all addresses of the machine, at the one that
    /// others of its network see.
    static func address(_ host: String, _ port: Int) -> String {
        let isOpen = ["0.0.0.0", "::"].contains(host)
        return ServerRun.address(isOpen ? NetworkAddress.ofThisMachine() ?? host : host, port)
    }
}
