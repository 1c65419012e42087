import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

/// The command `placard admin`.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manages who may sign in to the dashboard.",
        subcommands: [AdminCreate.self, AdminResetPassword.self, AdminResetFactor.self]
    )
}

/// The command `placard admin create`.
struct AdminCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates an administrator.",
        discussion: """
            placard admin create anna@example.com
            printf %s "$PASSWORD" | placard admin create anna@example.com --password-stdin

            Asks for the password, which is not shown and not kept: only its scrypt hash is.
            """
    )

    @Argument(help: "The e-mail address to sign in with.")
    var email: String

    @Flag(help: "Reads the password from standard input, up to the first line break.")
    var passwordStdin = false

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        guard EmailAddress(email) != nil else { throw ValidationError("\(email) is not an e-mail address.") }
    }

    func run() async throws {
        guard let address = EmailAddress(email) else { throw CommandError("\(email) is not an e-mail address.") }
        // A database that can't be opened is told before anything is typed.
        try await database.withStore(for: .reading) { _ in }
        let password = try passwordStdin ? PasswordPrompt.readLine() : PasswordPrompt.askTwice()
        do {
            try PasswordPolicy.check(password, of: [address.text])
        } catch {
            throw CommandError(error.message)
        }
        let administrator = TeamMember(
            email: address.text,
            role: .admin,
            passwordHash: try PasswordHash.make(password),
            createdAt: Date().timeIntervalSince1970
        )
        do {
            try await database.withStore(for: .writing) { try await $0.insertMember(administrator, by: .command) }
        } catch let error as StoreError where error.code == .exists {
            throw CommandError(
                "A member with the email address \(administrator.email) already exists. Enter another address."
            )
        }
        if json { return Console.write(["email": .string(administrator.email), "role": "admin"]) }
        Console.write("Created the administrator \(administrator.email).")
    }
}

/// The command `placard admin reset-password`.
struct AdminResetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract: "Replaces a member's password by a temporary one, and prints it.",
        discussion: """
            The password works for seven days, and has to be replaced at the first sign-in. The member is signed out \
            everywhere. A second factor stays on; `placard admin reset-factor` turns it off.
            """
    )

    @Argument(help: "The e-mail address to sign in with.")
    var email: String

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let address = EmailAddress(email)?.text ?? email
        let password = TemporaryPassword().text
        let hash = try PasswordHash.make(password)
        let now = Date().timeIntervalSince1970
        let expiry = TemporaryPassword.expiry(at: now)
        try await database.withStore(for: .writing) { store in
            guard var member = try await store.member(address) else {
                throw CommandError("There is no member \(address).")
            }
            member.passwordHash = hash
            member.passwordExpiresAt = expiry
            try await store.updateMember(member, action: "member.password-reset", keeping: nil, at: now, by: .command)
        }
        if json {
            return Console.write([
                "email": .string(address), "password": .string(password), "expires_at": .number(expiry),
            ])
        }
        Console.write("Temporary password of \(address), for seven days: \(password)")
    }
}

/// The command `placard admin reset-factor`.
struct AdminResetFactor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-factor",
        abstract: "Resets two-factor authentication of a member who has lost phone and recovery codes.",
        discussion: "Be sure who asks: the password alone then signs in. The member is signed out everywhere."
    )

    @Argument(help: "The e-mail address to sign in with.")
    var email: String

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let address = EmailAddress(email)?.text ?? email
        try await database.withStore(for: .writing) { store in
            guard var member = try await store.member(address) else {
                throw CommandError("There is no member \(address).")
            }
            guard member.codeSecret != nil else {
                throw CommandError("Two-factor sign-in is off for \(address) already.")
            }
            member.codeSecret = nil
            member.recoveryCodes = []
            let now = Date().timeIntervalSince1970
            try await store.updateMember(member, action: "member.factor-off", keeping: nil, at: now, by: .command)
        }
        if json { return Console.write(["email": .string(address), "two_factor": false]) }
        Console.write("Switched two-factor sign-in off for \(address).")
    }
}
