import CardModel
import CardStore
import Logging

extension PlacardServer {
    /// Returns the storage of the pictures' bytes.
    static func pictureStorage(
        _ store: any CardStore,
        _ options: Options,
        _ metrics: ServerMetrics,
        _ tracer: Tracer?,
        _ logger: Logger
    ) -> any PictureStorage {
        guard let settings = options.bucket else { return StorePictures(store: store, logger: logger) }
        let surroundings =
            options.bucketSurroundings ?? BucketClient.Surroundings(clock: options.clock, uptime: options.uptime)
        let bucket = BucketClient(settings, surroundings, tracer: tracer) { metrics.countBucketRequest($0, $1) }
        return BucketPictures(bucket: bucket, store: store, logger: logger)
    }

    /// The media library.
    static func mediaService(
        _ store: any CardStore,
        _ storage: any PictureStorage,
        _ options: Options,
        _ logger: Logger
    ) -> MediaService {
        MediaService(
            store: store,
            storage: storage,
            images: options.images,
            totalBytes: options.mediaBytes,
            clock: options.clock,
            uptime: options.uptime,
            logger: logger
        )
    }

    /// Adds pictures before a server runs, as uploads do; they are kept where the store keeps pictures.
    ///
    /// - Parameters:
    ///   - uploads: The pictures.
    ///   - store: Where they are added.
    ///   - options: The options of the server.
    ///   - logger: Is told what the operator can do something about.
    /// - Returns: The pictures, in the same order.
    /// - Throws: `ServiceError` where one isn't accepted, such as where libvips is missing.
    package static func addPictures(
        _ uploads: [MediaService.Upload],
        to store: any CardStore,
        _ options: Options,
        _ logger: Logger
    ) async throws -> [MediaItem] {
        let media = mediaService(store, StorePictures(store: store, logger: logger), options, logger)
        return try await ServiceError.catching {
            var items: [MediaItem] = []
            for upload in uploads {
                let added = try await media.add(by: .command) { meter in
                    try meter.receive(upload.bytes.count)
                    return upload
                }
                items.append(added.item)
            }
            return items
        }
    }
}
