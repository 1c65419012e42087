import CardStore
import Logging

extension PlacardServer {
    /// What keeps the bytes of pictures.
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
}
