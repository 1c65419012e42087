import CardModel
import CardStore

/// What a form says of somebody who is to have an account.
struct NewMember {
    /// What is wrong with it.
    struct Problem: Error {
        let message: String
    }

    static let shortestPassword = 10

    let email: String
    let name: String
    let role: Role
    let password: String

    init(_ form: FormData, role: Role) throws(Problem) {
        guard let email = EmailAddress(form["email"] ?? "") else {
            throw Problem(message: "An e-mail address such as anna@example.com is expected.")
        }
        self.email = email.text
        name = String((form.text("name") ?? "").prefix(100))
        self.role = role
        password = form["password"] ?? ""
        try Self.check(password)
    }

    /// Throws where a password is too short.
    static func check(_ password: String) throws(Problem) {
        guard password.count >= shortestPassword else {
            throw Problem(message: "The password needs at least \(shortestPassword) characters.")
        }
    }

    /// Returns the member with the hash of the password.
    func member(_ site: Site, _ caller: PasswordLanes.Caller) async throws -> TeamMember {
        TeamMember(
            email: email,
            name: name,
            role: role,
            passwordHash: try await site.passwords.hash(password, for: caller),
            createdAt: site.now
        )
    }
}
