import CardServer
import Dispatch

/// Hashes passwords off the threads that answer requests, one at a time: each takes a quarter of a second and 128 MiB.
enum PasswordWork {
    private static let queue = DispatchQueue(label: "placard.passwords")

    static func verify(_ password: String, against hash: String) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: PasswordHash.verify(password, against: hash)) }
        }
    }

    static func stretch(_ bytes: [UInt8], salt: [UInt8], rounds: Int) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try PasswordHash.stretch(bytes, salt: salt, rounds: rounds) }
                )
            }
        }
    }

    static func hash(_ password: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try PasswordHash.make(password) }) }
        }
    }
}
