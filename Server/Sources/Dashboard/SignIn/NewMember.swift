import CardModel
import CardServer
import CardStore

/// The fields of a form that creates a member.
struct NewMember {
    /// The problem of the new member.
    struct NewMemberError: Error {
        let field: FormField
        let message: String

        /// The mark of the field.
        var marks: [String: FieldMark] { FieldMark.marks(field, message) }
    }

    private static let longestName = 200

    let email: String
    let name: String
    let role: Role
    let password: String
    /// Whether the member chooses the password by a link; then this one is random and known to no one.
    let isInvited: Bool

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - role: The member's role.
    ///   - isInvited: Whether another member adds this one, who then chooses a password by a link.
    /// - Throws: ``NewMemberError``.
    init(_ form: FormData, role: Role, isInvited: Bool) throws(NewMemberError) {
        guard let email = EmailAddress(form.value(.email)) else {
            throw NewMemberError(field: .email, message: localized("Enter an email address, such as anna@example.com."))
        }
        self.email = email.text
        name = form.trimmed(.name)
        guard name.utf8.count <= Self.longestName else {
            throw NewMemberError(
                field: .name,
                message: localized("Name is too long. Use at most \(Self.longestName) bytes.")
            )
        }
        self.role = role
        self.isInvited = isInvited
        password = isInvited ? TemporaryPassword().text : form.value(.password)
        if !isInvited { try Self.check(password, of: [self.email, name]) }
    }

    /// Throws where a password is too short, or one that others choose too.
    static func check(_ password: String, of owner: [String]) throws(NewMemberError) {
        do {
            try PasswordPolicy.check(password, of: owner)
        } catch {
            throw NewMemberError(field: .password, message: localized(sentence: error.message))
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
        if isInvited { member.passwordExpiresAt = site.now + PasswordLink.invitationLifetime }
        return member
    }
}
