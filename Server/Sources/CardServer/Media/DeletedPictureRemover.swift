import CardStore
import Logging
import ServiceLifecycle

/// Removes the bytes of pictures that were deleted in the dashboard, once the deletion can't be undone any more, and
/// the objects that are left in the bucket of uploads and deletions that didn't end.
///
/// Any node does it, and one that is started does what one before left when it ended.
struct DeletedPictureRemover: Service {
    /// The time after which a deletion is final, in seconds: a little more than it can be undone.
    static let delay = 65.0
    /// The number of pictures that are removed at once.
    static let pieceSize = 20
    /// The number of folders in the bucket whose objects are removed at once.
    static let folderPieceSize = 5
    /// The time that a remover that has nothing to do waits, in seconds.
    static let pause = 5.0

    let media: MediaService
    let logger: Logger

    func run() async throws {
        await WorkLoop().run { await step() ? 0 : Self.pause }
    }

    /// Removes some pictures, and returns whether there are more.
    func step() async -> Bool {
        do {
            let dropped = try await media.dropDeleted(after: Self.delay, limit: Self.pieceSize)
            let removed = try await media.removeUnused(limit: Self.folderPieceSize)
            return dropped == Self.pieceSize || removed == Self.folderPieceSize
        } catch {
            logger.error("The files of deleted pictures could not be removed", metadata: ["error": "\(error)"])
            return false
        }
    }
}
