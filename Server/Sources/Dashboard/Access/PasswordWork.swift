import CardServer
import Dispatch

/// Hashes recovery codes off the threads that answer requests; passwords have ``PasswordQueue``.
enum PasswordWork {
    private static let queue = DispatchQueue(label: "placard.recovery-codes")

    static func stretch(_ bytes: [UInt8], salt: [UInt8], rounds: Int) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try PasswordHash.stretch(bytes, salt: salt, rounds: rounds) }
                )
            }
        }
    }
}
