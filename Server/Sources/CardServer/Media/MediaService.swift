import CardModel
import CardStore
import Crypto
import Logging

/// Adds, lists and removes pictures, for the management API and the dashboard alike.
package struct MediaService: Sendable {
    /// A picture that is to be added.
    package struct Upload: Sendable {
        /// The file.
        package var bytes: [UInt8]
        /// The name of the file, which decides the name in the address, too.
        package var fileName: String
        /// The alternative text of the picture.
        package var alt: String
        /// The part to use, or `nil` for all of it.
        package var crop: ImageCrop?

        /// Creates an upload.
        package init(bytes: [UInt8], fileName: String = "", alt: String = "", crop: ImageCrop? = nil) {
            self.bytes = bytes
            self.fileName = fileName
            self.alt = alt
            self.crop = crop
        }
    }

    let store: any CardStore
    /// The storage of the pictures' bytes.
    let storage: any PictureStorage
    let images: any ImageProcessing
    /// The bytes that all pictures may have.
    package let totalBytes: Int
    let clock: @Sendable () -> UnixTime
    let uptime: @Sendable () -> Double
    let logger: Logger
    /// Two pictures are processed at a time; eight of one caller may wait, and 16 of all.
    private let pool = RenderPool(threads: 2, limits: (all: 16, each: 8))
    private let limiter = UploadLimiter()

    init(
        store: any CardStore,
        storage: any PictureStorage,
        images: any ImageProcessing,
        totalBytes: Int,
        clock: @escaping @Sendable () -> UnixTime,
        uptime: @escaping @Sendable () -> Double,
        logger: Logger
    ) {
        self.store = store
        self.storage = storage
        self.images = images
        self.totalBytes = totalBytes
        self.clock = clock
        self.uptime = uptime
        self.logger = logger
    }

    /// Finds where pictures are used, in all campaigns and content blocks.
    package func usage() async throws -> MediaUsage { try await MediaUsage(store) }

    /// Returns where a picture is used.
    package func uses(of id: String) async throws -> MediaUses {
        try await usage().uses(of: [id]).first ?? MediaUses()
    }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - caller: Who uploads it.
    ///   - reading: Reads the upload with that meter; isn't called where the caller can't upload now.
    /// - Returns: The picture, and whether it is new; the same picture is kept once.
    /// - Throws: `RequestError` where it isn't accepted.
    func add(
        by caller: Caller,
        reading: (UploadMeter) async throws -> Upload
    ) async throws -> (item: MediaItem, isNew: Bool) {
        try await limiter.admit(caller, uptime: uptime) { meter in
            let upload = try await reading(meter)
            return try await add(upload, try meter.check { try Self.header(of: upload) }, by: caller)
        }
    }

    /// Reads what a picture says that it is.
    ///
    /// - Throws: `RequestError` where nothing of it is worth work.
    private static func header(of upload: Upload) throws -> PictureHeader {
        guard MediaItem.isAlt(upload.alt) else { throw RequestError.altInvalid }
        let header = try RequestError.reading { () throws(ImageError) in try PictureHeader(of: upload.bytes) }
        if let crop = upload.crop, !crop.fits(header) || header.frames > 1 {
            throw RequestError(ImageError.cropInvalid)
        }
        return header
    }

    private func add(
        _ upload: Upload,
        _ header: PictureHeader,
        by caller: Caller
    ) async throws -> (item: MediaItem, isNew: Bool) {
        let sizes = try await process(upload, header, for: caller)
        let item = try item(of: sizes, header.format, upload, caller)
        let files = sizes.map { MediaFile(width: $0.width, bytes: $0.bytes) }
        var addition = try await storage.add(item, files: files, totalBytes: totalBytes, by: caller.actor)
        // The room of deleted pictures is given away before anybody is refused: as much as it takes, where it helps.
        while addition == .full, try await hasRoomWithoutDeleted(item), try await dropDeleted(after: 0, limit: 1) > 0 {
            addition = try await storage.add(item, files: files, totalBytes: totalBytes, by: caller.actor)
        }
        switch addition {
        case .added: return (item, true)
        case .exists(let known): return (known, false)
        case .full: throw RequestError.mediaFull(totalBytes)
        }
    }

    private func hasRoomWithoutDeleted(_ item: MediaItem) async throws -> Bool {
        try await store.mediaTotals().withoutDeleted.hasRoom(for: item.bytes, below: totalBytes)
    }

    private func process(
        _ upload: Upload,
        _ header: PictureHeader,
        for caller: Caller
    ) async throws -> [ProcessedImage] {
        let (images, job) = (images, ImageJob(format: header.format, crop: upload.crop))
        do {
            return try await pool.run(for: caller.id) { Result { try images.process(upload.bytes, job) } }.get()
        } catch is RenderPool.OverloadError {
            throw RequestError.unavailable
        } catch let error as ImageProcessingError {
            log(error)
            throw RequestError(error)
        }
    }

    /// Tells the operator what a caller can do nothing about.
    private func log(_ error: ImageProcessingError) {
        switch error {
        case .crashed(let cause), .failed(let cause):
            logger.error("A picture couldn't be processed", metadata: ["error": "\(cause)"])
        case .libraryMissing: logger.error("A picture couldn't be processed", metadata: ["error": "no libvips"])
        case .unreadable, .cropOutside, .tookTooLong: break
        }
    }

    private func item(
        of sizes: [ProcessedImage],
        _ format: ImageFormat,
        _ upload: Upload,
        _ caller: Caller
    ) throws -> MediaItem {
        guard let largest = sizes.first else { throw RequestError(ImageError.unreadable) }
        let digest = SHA256.hash(data: largest.bytes).prefix(16)
        return MediaItem(
            id: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
            name: MediaItem.name(for: upload.fileName, format),
            alt: upload.alt,
            format: format,
            width: largest.width,
            height: largest.height,
            frames: largest.frames,
            widths: sizes.map(\.width),
            bytes: sizes.reduce(0) { $0 + $1.bytes.count },
            createdAt: clock(),
            createdBy: caller.id
        )
    }

    /// Removes a picture at once.
    ///
    /// - Parameters:
    ///   - id: The picture.
    ///   - isForced: Whether it is removed although campaigns or content blocks name it.
    ///   - caller: Who removes it.
    /// - Throws: `RequestError` with 409 where it is used, with 404 where there is none of that id.
    func delete(_ id: String, isForced: Bool, by caller: Caller) async throws {
        let used = isForced ? MediaUses() : try await uses(of: id)
        if let use = used.uses.first { throw RequestError.mediaInUse(use, count: used.count) }
        guard try await storage.delete(id, at: clock(), by: caller.actor) else {
            throw RequestError.notFound("picture")
        }
    }

    /// Deletes a picture in a way that can be undone for a moment: it is nowhere from now on, and its bytes are removed
    /// by ``dropDeleted(after:limit:)``.
    ///
    /// - Returns: The picture.
    /// - Throws: `RequestError` with 404 where there is none of that id.
    func markDeleted(_ id: String, by caller: Caller) async throws -> MediaItem {
        guard let item = try await store.markMediaDeleted(id, at: clock(), by: caller.actor) else {
            throw RequestError.notFound("picture")
        }
        return item
    }

    /// Restores a picture that was deleted a moment ago; does nothing where it is there.
    ///
    /// - Throws: `RequestError` with 404 where its bytes were removed since.
    func restore(_ id: String, by caller: Caller) async throws {
        guard try await store.restoreMedia(id, at: clock(), by: caller.actor) == nil else { return }
        guard try await store.mediaItem(id) != nil else { throw RequestError.pictureDropped }
    }

    /// Removes pictures that were deleted some seconds ago, with their bytes; returns how many.
    func dropDeleted(after seconds: Double, limit: Int) async throws -> Int {
        try await storage.dropDeleted(before: clock() - seconds, limit: limit)
    }

    /// Removes what no picture has of uploads and deletions that didn't end; returns how many of them it looked at.
    func removeUnused(limit: Int) async throws -> Int {
        try await storage.removeUnused(at: clock(), limit: limit)
    }

    /// Changes what a picture is said to show.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    func setAlt(_ alt: String, of id: String, by caller: Caller) async throws {
        guard MediaItem.isAlt(alt) else { throw RequestError.altInvalid }
        guard try await store.setMediaAlt(alt, of: id, at: clock(), by: caller.actor) else {
            throw RequestError.notFound("picture")
        }
    }
}
