import CardModel
import CardStore
import NIOCore
import Synchronization

/// The files of pictures that are being sent, piece by piece.
///
/// Anybody may load pictures, and may read as slowly as the server's limits allow. So a connection holds no more than a
/// piece, the pieces that were read last are kept for all, and few are read from the store at the same time, in turn,
/// since devices wait for the same store. From a bucket, to which each request is a connection, several pieces are read
/// at once.
final class PictureFiles: Sendable {
    /// A file of a picture.
    struct File: Sendable, Hashable {
        let id: String
        let width: Int
        /// The time at which the picture was uploaded.
        ///
        /// One that is uploaded again after it was removed may have other smaller sizes.
        let createdAt: UnixTime
        /// The place of its bytes.
        var location = MediaPlace.store

        /// The number of pieces that are read at once.
        fileprivate var piecesAtOnce: Int { location == .store ? 1 : PictureFiles.bucketPieces }
    }

    fileprivate struct Place: Hashable {
        let file: File
        let number: Int
    }

    fileprivate struct Entry {
        let bytes: ByteBuffer
        var lastUse: UInt64
    }

    fileprivate struct State {
        var kept: [Place: Entry] = [:]
        var held = 0
        var uses: UInt64 = 0
        /// The tasks that are reading, by the first piece.
        var loading: [Place: Task<[ByteBuffer], any Error>] = [:]
    }

    /// Reads bytes of a file.
    typealias PictureSource = @Sendable (_ file: File, _ range: Range<Int>) async throws -> [UInt8]?

    /// The number of bytes of a piece.
    static let pieceSize = 128 << 10
    /// The number of bytes of the pieces that are kept.
    static let capacity = 32 << 20
    /// The number of pieces that are read from the store at the same time.
    static let readerLimit = 2
    /// The number of pieces that are read from a bucket by one request: 1 MiB.
    static let bucketPieces = 8
    /// The number of requests for pieces to a bucket at the same time.
    static let bucketReaderLimit = 16
    /// The number of pieces that may wait for their turn to be read from a bucket, which may be slow.
    static let bucketQueueLimit = 256

    private let source: PictureSource
    private let state = Mutex(State())
    private let storeTurns = ReadTurns(limit: readerLimit)
    private let bucketTurns = ReadTurns(limit: bucketReaderLimit, queueLimit: bucketQueueLimit)

    init(source: @escaping PictureSource) { self.source = source }

    convenience init(_ storage: any PictureStorage) {
        self.init { try await storage.read($0, in: $1) }
    }

    /// The number of bytes that are kept.
    var heldBytes: Int { state.withLock(\.held) }

    /// Returns a piece of a file, by its number from 0; it is empty behind the end.
    ///
    /// - Throws: `RequestError.notFound` where the picture was removed, or what keeps the store from reading.
    func piece(_ number: Int, of file: File) async throws -> ByteBuffer {
        // safe: a remainder of a number below 8
        let (index, first) = (number % file.piecesAtOnce, number - number % file.piecesAtOnce)
        let start = Place(file: file, number: first)
        let task = state.withLock { state -> Task<[ByteBuffer], any Error>? in
            if let task = state.loading[start] { return task }
            if state.isKept(Place(file: file, number: number)) { return nil }
            let task = Task { try await load(start) }
            state.loading[start] = task
            return task
        }
        guard let task else {
            if let bytes = state.withLock({ $0.use(Place(file: file, number: number)) }) { return bytes }
            // It was forgotten since.
            return try await piece(number, of: file)
        }
        let pieces = try await task.value
        return index < pieces.count ? pieces[index] : ByteBuffer()
    }

    /// Reads as many pieces as are read at once; fewer where the file ends.
    private func load(_ first: Place) async throws -> [ByteBuffer] {
        let turns = first.file.location == .store ? storeTurns : bucketTurns
        do {
            try await turns.wait()
            defer { turns.end() }
            // safe: the files that are served are far shorter
            let start = first.number * Self.pieceSize
            // safe: as above
            let range = start..<start + first.file.piecesAtOnce * Self.pieceSize
            guard let bytes = try await source(first.file, range) else { throw RequestError.notFound("picture") }
            // Copied, so that who holds one holds no more.
            let pieces = stride(from: 0, to: max(1, bytes.count), by: Self.pieceSize).map { start in
                // safe: at most the number of bytes and a piece
                ByteBuffer(bytes: bytes[start..<min(start + Self.pieceSize, bytes.count)])
            }
            state.withLock { $0.keep(pieces, at: first) }
            return pieces
        } catch {
            state.withLock { $0.loading[first] = nil }
            throw error
        }
    }
}

extension PictureFiles.State {
    fileprivate func isKept(_ place: PictureFiles.Place) -> Bool { kept[place] != nil }

    fileprivate mutating func use(_ place: PictureFiles.Place) -> ByteBuffer? {
        uses += 1
        kept[place]?.lastUse = uses
        return kept[place]?.bytes
    }

    /// Keeps pieces, and forgets those that nobody asked for the longest.
    fileprivate mutating func keep(_ pieces: [ByteBuffer], at first: PictureFiles.Place) {
        loading[first] = nil
        for (index, bytes) in pieces.enumerated() {
            uses += 1
            // safe: counts of pieces of a file
            let place = PictureFiles.Place(file: first.file, number: first.number + index)
            // safe: what was held before is part of it
            held -= kept[place]?.bytes.readableBytes ?? 0
            kept[place] = PictureFiles.Entry(bytes: bytes, lastUse: uses)
            // safe: the capacity and what was read at once
            held += bytes.readableBytes
        }
        while held > PictureFiles.capacity, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            kept[oldest.key] = nil
            // safe: added when it was kept
            held -= oldest.value.bytes.readableBytes
        }
    }
}
