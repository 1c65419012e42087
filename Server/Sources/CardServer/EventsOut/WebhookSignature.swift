import CardModel
import Crypto

/// Signs what is sent, so that a receiver knows that it is from here and not old.
///
/// The header `Placard-Signature: t=1800000000,v1=…` holds the time in Unix seconds, and HMAC-SHA256 in hexadecimal of
/// the time, a full stop and the body, with the secret as key.
enum WebhookSignature {
    static func header(for body: [UInt8], secret: String, at now: UnixTime) -> String {
        let time = Int64(saturating: now)
        var hmac = HMAC<SHA256>(key: SymmetricKey(data: Array(secret.utf8)))
        hmac.update(data: Array("\(time).".utf8))
        hmac.update(data: body)
        let digest = hmac.finalize().map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "t=\(time),v1=\(digest.joined())"
    }
}
