package import CardModel
import CardStore
import Logging
import NIOHTTP1
import WireJSON

/// Finds the images of a campaign that apps couldn't load.
///
/// Those of the media library are looked up; all others are asked for by the client that checks addresses, at the same
/// time and without their bodies. An address that is a template, or redirects, is left out, as are all while many
/// others are asked.
package struct ImageCheckService: Sendable {
    /// The maximum number of addresses that are asked for one campaign.
    static let limit = 12
    /// The maximum number of addresses that are asked at a time for all campaigns, so that those who review many don't
    /// take the server's open files.
    static let totalLimit = 48

    let client: OutboundClient
    let store: any CardStore
    let logger: Logger
    /// The time for all of it, in seconds.
    var timeout = 1.5

    /// Returns a warning for each image that couldn't be loaded.
    ///
    /// - Parameters:
    ///   - content: The campaign.
    ///   - base: Where devices reach the server, without a slash at the end.
    /// - Returns: The warnings, in the order of the variants.
    /// - Throws: What the store throws.
    package func checks(of content: Campaign.Content, base: String) async throws -> [CampaignCheck] {
        var places: [(path: String, address: String)] = []
        for (index, variant) in content.variants.enumerated() {
            guard let card = variant.card else { continue }
            if let image = card.image { places.append(("variants[\(index)].card.image", image)) }
            for (language, translation) in card.translations.sorted(by: { $0.key < $1.key }) {
                guard let image = translation.image else { continue }
                places.append(("variants[\(index)].card.translations.\(language).image", image))
            }
        }
        var asked: Set<ByteString> = []
        places = places.filter { place in
            let isTemplate = place.address.contains(bytesOf: "{{") || place.address.contains(bytesOf: "{%")
            return !isTemplate && asked.insert(ByteString(place.address)).inserted
        }
        let messages = try await messages(places.prefix(Self.limit).map(\.address), base)
        return places.compactMap { place in
            messages[ByteString(place.address)].map { CampaignCheck(.warning, "image_not_loaded", at: place.path, $0) }
        }
    }

    private func messages(_ addresses: [String], _ base: String) async throws -> [ByteString: String] {
        try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for address in addresses {
                group.addTask { (address, try await message(address, base)) }
            }
            return try await group.reduce(into: [:]) { $0[ByteString($1.0)] = $1.1 }
        }
    }

    /// Returns the problem of an image, or `nil` where none is known.
    private func message(_ address: String, _ base: String) async throws -> String? {
        let library = "\(base)/media/"
        if !base.isEmpty, address.hasPrefix(library) {
            let id = String(address.dropFirst(library.count).prefix(before: "/"))
            if MediaItem.isID(id), try await store.mediaItem(id) != nil { return nil }
            return "The picture isn't in the media library."
        }
        guard let url = OutboundURL(address) else { return nil }
        var request = OutboundRequest(url: url, headers: ["Accept": "image/*"])
        request.wantsBody = false
        do {
            let response = try await client.send(request, timeout: timeout, bodyLimit: 0)
            if response.status >= 400 { return "The image's address answers with the error HTTP \(response.status)." }
            guard (200..<300).contains(response.status), let type = response.mediaType, Self.isOther(type) else {
                return nil
            }
            return "The image's address answers with \(type), which isn't an image."
        } catch OutboundError.busy {
            // That others are being checked says nothing of this one.
            return nil
        } catch {
            // One reason for all, as of a webhook.
            logger.notice("An image of a campaign couldn't be loaded", metadata: ["error": "\(error)"])
            return "The server couldn't load the image. Open its address in a browser to check it."
        }
    }

    /// Whether a media type is certainly no image's; buckets often say `application/octet-stream` of one.
    private static func isOther(_ type: String) -> Bool {
        ["text/", "video/", "audio/", "application/json", "application/xhtml", "application/pdf"]
            .contains(where: type.hasPrefix)
    }
}

extension ImageCheckService {
    /// Creates the service of a server.
    init(_ services: Services, allowsPrivateHosts: Bool) {
        client = Self.client(allowsPrivateHosts: allowsPrivateHosts, tracer: services.tracer)
        (store, logger) = (services.store, services.logger)
    }

    /// The client that asks for images, apart from what asks other hosts.
    static func client(allowsPrivateHosts: Bool, tracer: Tracer?) -> OutboundClient {
        OutboundClient(
            allowsPrivateHosts: allowsPrivateHosts,
            resolver: SystemResolver.ofImages,
            load: WorkLimit(totalLimit),
            tracer: tracer
        )
    }
}
