import CardModel
import CardServer
import CardStore

/// The fields of a form that creates a member.
struct NewMember {
    /// What is wrong with it.
    struct Problem: Error {
        let message: String
    }

    private static let longestName = 200

    let email: String
    let name: String
    let role: Role
    let password: String
    /// Whether the server has generated the password, which the member has to replace.
    let isTemporary: Bool

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - role: The member's role.
    ///   - isInvited: Whether another member adds this one, who then gets a temporary password unless the form has one.
    /// - Throws: ``Problem``.
    init(_ form: FormData, role: Role, isInvited: Bool) throws(Problem) {
        guard let email = EmailAddress(form["email"] ?? "") else {
            throw Problem(message: "Enter an email address, such as anna@example.com.")
        }
        self.email = email.text
        name = form.text("name") ?? ""
        guard name.utf8.count <= Self.longestName else {
            throw Problem(message: "Name is too long. Use at most \(Self.longestName) bytes.")
        }
        self.role = role
        let chosen = form["password"] ?? ""
        isTemporary = isInvited && chosen.isEmpty
        password = isTemporary ? TemporaryPassword().text : chosen
        if !isTemporary { try Self.check(password, of: [self.email, name]) }
    }

    /// Throws where a password is too short, or one that others choose too.
    static func check(_ password: String, of owner: [String]) throws(Problem) {
        do {
            try PasswordPolicy.check(password, of: owner)
        } catch {
            throw Problem(message: error.message)
        }
    }

    /// Returns the member with the hash of the password.
    func member(_ site: Site, _ caller: PasswordLanes.Caller) async throws -> TeamMember {
        var member = TeamMember(
            email: email,
            name: name,
            role: role,
            passwordHash: try await site.passwords.hash(password, for: caller),
            createdAt: site.now
        )
        if isTemporary { member.passwordExpiresAt = TemporaryPassword.expiry(at: site.now) }
        return member
    }
}
