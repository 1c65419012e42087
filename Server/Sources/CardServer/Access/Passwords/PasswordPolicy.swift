import Foundation
import WireJSON

/// The rules for a new password: long enough, and not what others choose too.
public enum PasswordPolicy {
    /// Says what is wrong with a password.
    public struct PasswordError: Error, Sendable {
        /// The message that says what to do, as a sentence.
        public let message: String
    }

    /// The fewest characters.
    public static let shortest = 12
    /// The most characters.
    public static let longest = 128
    /// The most bytes of UTF-8 that are looked at: a character may have any number of marks.
    static let longestText = 4_096

    /// Checks a new password.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - owner: What is known of its owner, such as the e-mail address; none of it may be part of the password.
    /// - Throws: ``PasswordError``.
    public static func check(_ password: String, of owner: [String]) throws(PasswordError) {
        guard password.utf8.count <= longestText else { throw tooLong }
        let password = normalized(password)
        guard password.count <= longest else { throw tooLong }
        guard password.count >= shortest else {
            throw PasswordError(message: "The password needs at least \(shortest) characters.")
        }
        let strength = PasswordStrength(password)
        if let word = words(of: owner).first(where: strength.contains) {
            throw PasswordError(
                message: "The password can't contain “\(word)”. Choose something that others can't guess."
            )
        }
        guard !ListedPasswords.contains(password), strength.isEnough else {
            throw PasswordError(
                message: "The password is one of those that are tried first. Choose several unrelated words."
            )
        }
    }

    private static var tooLong: PasswordError {
        PasswordError(message: "The password can't have more than \(longest) characters.")
    }

    /// Returns the password in the form that is hashed: normalization form KC, since keyboards differ in how they
    /// write the same letters.
    static func normalized(_ password: String) -> String { password.precomposedStringWithCompatibilityMapping }

    /// The name of the product, and the parts of what is known of the owner that are long enough to matter.
    private static func words(of owner: [String]) -> [String] {
        let names = owner.map { $0.prefix(before: "@") }
        let parts = names.flatMap { name in
            [String(name)] + name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return ["placard"] + parts.filter { $0.count >= 4 && $0.utf8.count <= 254 }
    }
}
