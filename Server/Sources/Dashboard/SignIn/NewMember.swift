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
        email = (form.text("email") ?? "").lowercased()
        name = String((form.text("name") ?? "").prefix(100))
        self.role = role
        password = form["password"] ?? ""
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !email.contains(where: \.isWhitespace),
            email.utf8.count <= 254
        else { throw Problem(message: "An e-mail address such as anna@example.com is expected.") }
        try Self.check(password)
    }

    /// Throws where a password is too short.
    static func check(_ password: String) throws(Problem) {
        guard password.count >= shortestPassword else {
            throw Problem(message: "The password needs at least \(shortestPassword) characters.")
        }
    }

    func member(at now: UnixTime) async throws -> TeamMember {
        TeamMember(
            email: email,
            name: name,
            role: role,
            passwordHash: try await PasswordWork.hash(password),
            createdAt: now
        )
    }
}
