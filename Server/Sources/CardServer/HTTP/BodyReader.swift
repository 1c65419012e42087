import NIOCore

/// Reads large bodies on threads of their own, so that those who send megabytes don't take the time of the others.
///
/// Client addresses take turns, and each has one body read at a time.
struct BodyReader: Sendable {
    /// The bytes of a body that is read on the spot, at most.
    private static let immediateBytes = 32_768

    private let pool = RenderPool(limits: (all: 256, each: 32))

    /// Returns what a function reads from a body.
    ///
    /// - Throws: What the function throws, or `RequestError.unavailable` where too many bodies are pending already.
    func read<Value: Sendable>(
        _ body: ByteBuffer,
        from client: ClientKey?,
        _ read: @escaping @Sendable (ByteBufferView) throws -> Value
    ) async throws -> Value {
        guard body.readableBytes > Self.immediateBytes else { return try read(body.readableBytesView) }
        do {
            return try await pool.run(for: client.map { "\($0)" } ?? "") {
                Result { try read(body.readableBytesView) }
            }.get()
        } catch is RenderPool.OverloadError {
            throw RequestError.unavailable
        }
    }
}
