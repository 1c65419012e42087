import CardModel
import CardServer
import Crypto

/// The codes of an authenticator app: RFC 6238 with SHA-1, six digits and steps of 30 seconds, as all apps expect.
struct TimeBasedCode: Sendable {
    static let stepSeconds = 30.0

    let secret: [UInt8]

    /// The step of a moment.
    static func step(at now: UnixTime) -> Int64 { Int64(nearest: (now / stepSeconds).rounded(.down)) }

    // safe: twenty bytes, and a place below sixteen in them; six digits
    /// The code of a step.
    func code(of step: Int64) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let hash = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret))
        )
        let offset = Int(hash[19] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The step whose code was typed, or `nil` where it is wrong or was used before.
    ///
    /// The step before and the step after are taken too: clocks differ.
    func step(of typed: String, at now: UnixTime, after last: Int64) -> Int64? {
        let digits = typed.filter { !$0.isWhitespace }
        let present = Self.step(at: now)
        // safe: steps of the clock of this machine
        return (present - 1...present + 1).first {
            $0 > last && ConstantTime.areEqual(Array(code(of: $0).utf8), Array(digits.utf8))
        }
    }

    /// The secret as people type it: base 32 in groups of four.
    var secretText: String {
        let letters = Array(Self.base32(secret))
        // safe: begins within the letters
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
            .joined(separator: " ")
    }

    /// The address that an authenticator app opens or scans.
    func address(for email: String) -> String {
        let account = FormData.escape("Placard:\(email)")
        return "otpauth://totp/\(account)?secret=\(Self.base32(secret))&issuer=Placard"
    }

    // safe: five bits at a time, and thirty-two letters
    static func base32(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (text, buffer, bits) = ("", 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return text
    }
}
