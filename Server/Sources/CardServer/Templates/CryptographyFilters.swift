import Crypto
import Foundation
import Liquid

/// The filters of templates that need cryptography.
///
/// MD5 and SHA-1 are there because the services that templates speak to ask for them.
package enum CryptographyFilters {
    /// A byte takes these some five times as long as copying it.
    private static let hashing = 6

    package static let all: [LiquidFilter] = [
        LiquidFilter("md5", weight: hashing) { .string(hexadecimal(Insecure.MD5.hash(data: Data($0.text.utf8)))) },
        LiquidFilter("sha1", weight: hashing) { .string(hexadecimal(Insecure.SHA1.hash(data: Data($0.text.utf8)))) },
        LiquidFilter("sha2", weight: hashing) { .string(hexadecimal(SHA256.hash(data: Data($0.text.utf8)))) },
        LiquidFilter("sha256", weight: hashing) { .string(hexadecimal(SHA256.hash(data: Data($0.text.utf8)))) },
        LiquidFilter("hmac_sha1", arguments: 1...1, weight: hashing) { .string(hexadecimal(sha1($0))) },
        LiquidFilter("hmac_sha1_hex", arguments: 1...1, weight: hashing) { .string(hexadecimal(sha1($0))) },
        LiquidFilter("hmac_sha1_base64", arguments: 1...1, weight: hashing) {
            .string(Data(sha1($0)).base64EncodedString())
        },
        LiquidFilter("hmac_sha256", arguments: 1...1, weight: hashing) { .string(hexadecimal(sha256($0))) },
        LiquidFilter("hmac_sha256_hex", arguments: 1...1, weight: hashing) { .string(hexadecimal(sha256($0))) },
        LiquidFilter("hmac_sha256_base64", arguments: 1...1, weight: hashing) {
            .string(Data(sha256($0)).base64EncodedString())
        },
    ]

    private static func sha1(_ call: LiquidFilterCall) -> HMAC<Insecure.SHA1>.MAC {
        HMAC<Insecure.SHA1>.authenticationCode(for: Data(call.text.utf8), using: key(call))
    }

    private static func sha256(_ call: LiquidFilterCall) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(call.text.utf8), using: key(call))
    }

    private static func key(_ call: LiquidFilterCall) -> SymmetricKey {
        SymmetricKey(data: Data(call.text(0).utf8))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        // safe: four bits, and sixteen digits
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
