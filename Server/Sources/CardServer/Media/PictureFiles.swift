import CardModel
import CardStore
import NIOCore
import Synchronization

/// The files of pictures that are being sent, piece by piece.
///
/// Anybody may load pictures, and may read as slowly as the server's limits allow. So a connection holds no more than a
/// piece, the pieces that were read last are kept for all, and few are read from the store at the same time, in turn,
/// since devices wait for the same store.
final class PictureFiles: Sendable {
    /// A file of a picture.
    struct File: Sendable, Hashable {
        let id: String
        let width: Int
        /// When the picture was uploaded.
        ///
        /// One that is uploaded again after it was removed may have other smaller sizes.
        let createdAt: UnixTime
    }

    fileprivate struct Place: Hashable {
        let file: File
        let number: Int
    }

    fileprivate struct Kept {
        let bytes: ByteBuffer
        var lastUse: UInt64
    }

    fileprivate struct State {
        var kept: [Place: Kept] = [:]
        var held = 0
        var uses: UInt64 = 0
        var loading: [Place: Task<ByteBuffer, any Error>] = [:]
        var readers = 0
        var queue = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    /// Reads bytes of a file.
    typealias Source = @Sendable (_ id: String, _ width: Int, _ range: Range<Int>) async throws -> [UInt8]?

    /// The number of bytes of a piece.
    static let pieceSize = 128 << 10
    /// The number of bytes of the pieces that are kept.
    static let capacity = 32 << 20
    /// The number of pieces that are read from the store at the same time.
    static let readerLimit = 2

    private let source: Source
    private let state = Mutex(State())

    init(source: @escaping Source) { self.source = source }

    convenience init(store: any CardStore) {
        self.init { try await store.mediaFile($0, width: $1, in: $2) }
    }

    /// The number of bytes that are kept.
    var heldBytes: Int { state.withLock(\.held) }

    /// Returns a piece of a file, by its number from 0; it is empty behind the end.
    ///
    /// - Throws: `RequestError.notFound` where the picture was removed, or what keeps the store from reading.
    func piece(_ number: Int, of file: File) async throws -> ByteBuffer {
        let place = Place(file: file, number: number)
        let task = state.withLock { state -> Task<ByteBuffer, any Error> in
            if let bytes = state.use(place) { return Task { bytes } }
            if let task = state.loading[place] { return task }
            let task = Task { try await load(place) }
            state.loading[place] = task
            return task
        }
        return try await task.value
    }

    private func load(_ place: Place) async throws -> ByteBuffer {
        await waitForTurn()
        defer { endTurn() }
        do {
            // safe: the files that are served are far shorter
            let start = place.number * Self.pieceSize
            // safe: as above
            let range = start..<start + Self.pieceSize
            guard let bytes = try await source(place.file.id, place.file.width, range) else {
                throw RequestError.notFound("picture")
            }
            let buffer = ByteBuffer(bytes: bytes)
            state.withLock { $0.keep(buffer, at: place) }
            return buffer
        } catch {
            state.withLock { $0.loading[place] = nil }
            throw error
        }
    }

    // MARK: Turns

    private func waitForTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.readers == Self.readerLimit else {
                    state.readers += 1
                    return true
                }
                state.queue.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func endTurn() {
        let next = state.withLock { state in
            let next = state.queue.popFirst()
            if next == nil { state.readers -= 1 }
            return next
        }
        next?.resume()
    }
}

extension PictureFiles.State {
    fileprivate mutating func use(_ place: PictureFiles.Place) -> ByteBuffer? {
        uses += 1
        kept[place]?.lastUse = uses
        return kept[place]?.bytes
    }

    /// Keeps a piece, and forgets those that nobody asked for the longest.
    fileprivate mutating func keep(_ bytes: ByteBuffer, at place: PictureFiles.Place) {
        loading[place] = nil
        uses += 1
        kept[place] = PictureFiles.Kept(bytes: bytes, lastUse: uses)
        // safe: the capacity and one piece
        held += bytes.readableBytes
        while held > PictureFiles.capacity, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            kept[oldest.key] = nil
            // safe: added when it was kept
            held -= oldest.value.bytes.readableBytes
        }
    }
}
