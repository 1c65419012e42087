import CardStore
import NIOCore
import Synchronization

/// The files of pictures that are being sent, each once in memory however many connections load it.
///
/// Anybody may load pictures, and may read as slowly as the server's limits allow. What is held for all of them together
/// is bounded.
final class PictureFiles: Sendable {
    /// A file, which is forgotten when nobody is sent it any more.
    final class File: Sendable {
        let bytes: ByteBuffer
        private let close: @Sendable () -> Void

        fileprivate init(_ bytes: ByteBuffer, close: @escaping @Sendable () -> Void) {
            self.bytes = bytes
            self.close = close
        }

        deinit { close() }
    }

    private struct Key: Hashable {
        let id: String
        let width: Int
    }

    private struct Entry {
        weak var file: File?
        /// Tells an entry from a later one of the same file.
        let number: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var held = 0
        var loads = 0
        var count = 0
    }

    /// The number of bytes that all files being sent may have.
    static let capacity = 128 << 20
    /// The number of files that are read from the store at the same time: each has 10 MB at most.
    static let loadLimit = 8

    private let store: any CardStore
    private let state = Mutex(State())

    init(store: any CardStore) { self.store = store }

    /// The number of bytes that are held.
    var heldBytes: Int { state.withLock(\.held) }

    /// Returns a file of a picture, or `nil` where the store has none.
    ///
    /// - Throws: `RequestError.unavailable` where too much is being sent already.
    func file(_ id: String, width: Int) async throws -> File? {
        let key = Key(id: id, width: width)
        let held = try state.withLock { state throws(RequestError) -> File? in
            if let file = state.entries[key]?.file { return file }
            guard state.loads < Self.loadLimit, state.held < Self.capacity else { throw .unavailable }
            state.loads += 1
            return nil
        }
        if let held { return held }
        defer { state.withLock { $0.loads -= 1 } }
        guard let bytes = try await store.mediaFile(id, width: width) else { return nil }
        return keep(ByteBuffer(bytes: bytes), at: key)
    }

    private func keep(_ bytes: ByteBuffer, at key: Key) -> File {
        state.withLock { state in
            if let file = state.entries[key]?.file { return file }
            let size = bytes.readableBytes
            state.count += 1
            let number = state.count
            // safe: little more than the capacity
            state.held += size
            let file = File(bytes) { [weak self] in self?.forget(key, number, size) }
            state.entries[key] = Entry(file: file, number: number)
            return file
        }
    }

    private func forget(_ key: Key, _ number: Int, _ size: Int) {
        state.withLock { state in
            // safe: added when the file was kept
            state.held -= size
            if state.entries[key]?.number == number { state.entries[key] = nil }
        }
    }
}
