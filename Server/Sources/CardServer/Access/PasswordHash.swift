import Crypto
import CryptoExtras
import Foundation
import WireJSON

/// Passwords as they are kept: scrypt with a salt of their own and the parameters beside it.
public enum PasswordHash {
    /// scrypt's rounds for the passwords of members.
    package static let standardRounds = 131_072
    private static let blockSize = 8
    private static let parallelism = 1

    /// Hashes a password; about a quarter of a second and 128 MiB, which is the point.
    public static func make(_ password: String) throws -> String { try make(password, rounds: standardRounds) }

    /// Hashes a password at another cost, a power of two; tests take a small one.
    package static func make(_ password: String, rounds: Int) throws -> String {
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let hash = try derive(password, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        let fields = ["scrypt", "\(rounds)", "\(blockSize)", "\(parallelism)", encode(salt), encode(hash)]
        return fields.joined(separator: "$")
    }

    /// Whether a password is the one that was hashed.
    public static func verify(_ password: String, against kept: String) -> Bool {
        let fields = kept.split(at: "$").map(String.init)
        guard password.utf8.count <= PasswordPolicy.longestText, fields.count == 6, fields[0] == "scrypt",
            let rounds = Int(fields[1]), let blockSize = Int(fields[2]),
            let parallelism = Int(fields[3]), let salt = Data(base64Encoded: fields[4]),
            let expected = Data(base64Encoded: fields[5]),
            let hash = try? derive(
                password,
                salt: Array(salt),
                rounds: rounds,
                blockSize: blockSize,
                parallelism: parallelism
            )
        else { return false }
        return ConstantTime.areEqual(hash, expected)
    }

    /// Hashes bytes slowly with the usual block size, for codes that are shorter than a key; 32 bytes.
    package static func stretch(_ bytes: [UInt8], salt: [UInt8], rounds: Int) throws -> [UInt8] {
        try derive(bytes, salt: salt, rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    }

    private static func derive(
        _ password: String,
        salt: [UInt8],
        rounds: Int,
        blockSize: Int,
        parallelism: Int
    ) throws -> [UInt8] {
        try derive(
            Array(PasswordPolicy.normalized(password).utf8),
            salt: salt,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism
        )
    }

    private static func derive(
        _ bytes: [UInt8],
        salt: [UInt8],
        rounds: Int,
        blockSize: Int,
        parallelism: Int
    ) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: bytes,
            salt: salt,
            outputByteCount: 32,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism,
            maxMemory: 256 << 20
        )
        return key.withUnsafeBytes(Array.init)
    }

    private static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
