import Foundation
import WireJSON

/// The e-mail address of a member, in the one spelling by which the member is known.
///
/// Two spellings that mean the same, in capitals or with composed letters, are one address; ``text`` is compared byte
/// by byte.
public struct EmailAddress: Sendable, Hashable {
    /// The longest address in bytes of UTF-8, as mail allows.
    public static let longest = 254

    /// The address in lower case and normalization form KC.
    public let text: String

    /// Creates an address from what was typed, or returns `nil` if it is none.
    ///
    /// Blanks around it are ignored. It has one `@` with something on either side, and neither blanks nor
    /// characters that cannot be seen. A dot at its end would be another address at the same host.
    public init?(_ typed: some StringProtocol) {
        // Normalizing grows a text 18 times at most; what is too long before is too long after.
        guard typed.utf8.count <= 4 * Self.longest else { return nil }
        let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        let text = trimmed.precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCompatibilityMapping
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= Self.longest,
            text.unicodeScalars.allSatisfy(Self.isVisible), !text.ends(withBytesOf: ".")
        else { return nil }
        self.text = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: !"<>\"'\\".unicodeScalars.contains(scalar)
        }
    }
}
