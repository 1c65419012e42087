import Foundation

extension ContentCard {
    /// The address to open on a click; `nil` when there is none or it is not usable.
    ///
    /// Surrounding white space is dropped, and characters that an address can't hold are percent-encoded once.
    public var url: URL? { Self.address(urlString) }

    /// Whether the card is to open inside the app and can't: a web view shows http and https alone.
    var asksForWebViewInVain: Bool {
        guard opensInWebView, let scheme = url?.scheme?.lowercased() else { return false }
        return !["http", "https"].contains(scheme)
    }

    /// The address of the image; `nil` when there is none or it is not usable.
    public var imageURL: URL? { Self.address(image) }

    /// The alternative text of the image; `nil` where that is blank, as where a template found nothing to say.
    package var spokenAlt: String? {
        imageAlt.flatMap { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : $0 }
    }

    /// The value of the extra `class_type` as a class type; `.none` without one.
    public var classType: ContentCardClassType { ContentCardClassType(rawType: extras["class_type"]) }

    /// Returns whether both are the same card, in whatever state.
    public func hasSameID(as other: ContentCard) -> Bool { identity == other.identity }

    /// Returns whether the card has expired: it has from the very moment of `expiresAt` on.
    public func isExpired(at date: Date) -> Bool {
        guard let expiresAt else { return false }
        return date >= expiresAt
    }

    /// Returns whether `self` comes before `other`: pinned first, then higher priority, then newer, then by id.
    func precedes(_ other: ContentCard) -> Bool {
        if isPinned != other.isPinned { return isPinned }
        if priority != other.priority { return priority > other.priority }
        if createdAt != other.createdAt { return createdAt > other.createdAt }
        return identity < other.identity
    }

    static func address(_ text: String?) -> URL? {
        guard let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines), !trimmed.isEmpty else { return nil }
        return URL(string: AddressText.encoded(trimmed))
    }
}

/// Makes an address out of what a marketer typed.
enum AddressText {
    private static let allowed = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&'()*+,;=".utf8
    )

    /// Percent-encodes each byte that no address may hold.
    ///
    /// A `%` that begins an escape stays, so nothing is encoded twice; any other `%` is encoded.
    static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var output = ""
        for (index, byte) in bytes.enumerated() {
            if allowed.contains(byte) || byte == UInt8(ascii: "%") && isEscape(bytes, at: index) {
                output.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                output += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return output
    }

    private static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index + 2 < bytes.count else { return false }
        return isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
