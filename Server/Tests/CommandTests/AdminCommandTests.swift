import CardModel
import CardStore
import Foundation
import SQLiteCardStore
import Testing
import WireJSON

@testable import CardServer
@testable import PlacardCommands

/// The commands of `placard admin` and `placard audit`, on a database.
struct AdminCommandTests {
    private static let email = "anna@example.com"

    private static func add(to database: CommandDatabase) async throws {
        let store = try SQLiteCardStore(path: database.path)
        let member = TeamMember(email: email, role: .admin, passwordHash: "x", createdAt: 1_700_000_000)
        try await store.insertMember(member, by: .command)
        try await store.close()
    }

    private static func member(of database: CommandDatabase) async throws -> TeamMember? {
        let store = try SQLiteCardStore(path: database.path)
        let member = try await store.member(email)
        try await store.close()
        return member
    }

    @Test func `A temporary password is written once, and works`() async throws {
        try await CommandDatabase.with { database in
            try await Self.add(to: database)
            let outcome = await database.run("admin", "reset-password", " Anna@Example.com ")
            let text = "Temporary password of anna@example.com, for seven days: "
            #expect(outcome.status == 0 && outcome.output.hasPrefix(text) && outcome.notes.isEmpty)
            let password = outcome.output.dropFirst(text.count).trimmingCharacters(in: .newlines)
            let member = try #require(try await Self.member(of: database))
            #expect(PasswordHash.verify(password, against: member.passwordHash))
            #expect(member.passwordExpiresAt != nil && !member.passwordHash.contains(password))
        }
    }

    @Test func `Programs get a temporary password with its end, and that a second factor is off`() async throws {
        try await CommandDatabase.with { database in
            try await Self.add(to: database)
            let reset = await database.run("admin", "reset-password", Self.email, "--json")
            #expect(reset.status == 0 && reset.json["email"]?.string == Self.email)
            let password = try #require(reset.json["password"]?.string)
            var member = try #require(try await Self.member(of: database))
            #expect(PasswordHash.verify(password, against: member.passwordHash))
            let told = try #require(reset.json["expires_at"]?.double)
            let kept = try #require(member.passwordExpiresAt)
            #expect(abs(told - kept) < 0.01)

            member.codeSecret = [1, 2, 3]
            let store = try SQLiteCardStore(path: database.path)
            try await store.updateMember(member, action: "member.factor-on", keeping: nil, at: 1, by: .command)
            try await store.close()
            let off = await database.run("admin", "reset-factor", Self.email, "--json")
            #expect(off.status == 0 && off.json == ["email": .string(Self.email), "two_factor": false])
        }
    }

    @Test func `A member who isn't there, or has no second factor, is an error`() async throws {
        try await CommandDatabase.with { database in
            let unknown = await database.run("admin", "reset-password", "bob@example.com")
            #expect(unknown.status == 1 && unknown.output.isEmpty)
            #expect(unknown.message == "There is no member bob@example.com.")
            let factor = await database.run("admin", "reset-factor", "bob@example.com")
            #expect(factor.status == 1 && factor.message == "There is no member bob@example.com.")
            try await Self.add(to: database)
            let off = await database.run("admin", "reset-factor", Self.email)
            #expect(off.status == 1 && off.message == "Two-factor sign-in is off for anna@example.com already.")
        }
    }

    @Test(
        "What is no address is wrong usage, before a password is asked for",
        arguments: ["anna", "anna@", "@example.com", "", "anna@example.com\nBcc: b@example.com"]
    )
    func addresses(_ email: String) async {
        let outcome = await CommandOutcome.run(["admin", "create", email, "--password-stdin"])
        #expect(outcome.status == 64 && outcome.message.hasSuffix("is not an e-mail address."))
    }

    @Test func `The audit log is whole until it isn't the one that was noted`() async throws {
        try await CommandDatabase.with { database in
            _ = await database.run("key", "create", "--name", "a", "--kind", "secret")
            let whole = await database.run("audit", "verify")
            #expect(whole.status == 0 && whole.output.hasPrefix("The audit log is whole. It ends with "))
            let json = await database.run("audit", "verify", "--json")
            let end = try #require(json.json["end"]?.string)
            #expect(json.json["problems"] == [] && whole.output.contains(end))
            _ = await database.run("key", "create", "--name", "b", "--kind", "secret")
            #expect(await database.run("audit", "verify", "--expect", end).status == 0)
            let count = try #require(end.split(separator: ":").first)
            let other = "\(count):\(String(repeating: "0", count: 64))"
            let changed = await database.run("audit", "verify", "--expect", other)
            #expect(changed.status == 1 && !changed.output.isEmpty && changed.message.isEmpty)
            let later = "999:\(String(repeating: "0", count: 64))"
            let missing = await database.run("audit", "verify", "--expect", later, "--json")
            #expect(missing.status == 1 && missing.json["problems"]?.array?.isEmpty == false)
        }
    }

    @Test(
        "What is no end of a log is wrong usage",
        arguments: ["", "1", "1:", ":", "0:00", "-1:00", "+1:\(String(repeating: "0", count: 64))", "1:zz"]
    )
    func marks(_ text: String) async {
        #expect(await CommandOutcome.run(["audit", "verify", "--expect", text]).status == 64)
    }

    @Test func `Nothing is forgotten unless the settings say so, and that is no failure`() async throws {
        try await CommandDatabase.with { database in
            let outcome = await database.run("prune")
            #expect(outcome.status == 0)
            #expect(outcome.output == "Forgot 0 events, 0 triggers, 0 audit entries and 0 versions.\n")
            #expect(outcome.notes.hasPrefix("The settings keep everything for ever."))
            let json = await database.run("prune", "--json")
            #expect(json.json["pruned"] == 0 && json.json["pruned_audit_entries"] == 0)
        }
    }
}
