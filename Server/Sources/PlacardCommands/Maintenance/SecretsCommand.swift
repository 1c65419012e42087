import ArgumentParser
import CardServer
import CardStore
import Foundation
import SQLiteCardStore
import WireJSON

/// The command `placard secrets`.
struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Changes the key that second factors and the webhook's secret are encrypted with.",
        discussion: """
            The server creates the key when it starts for the first time, in a file beside the database that ends in \
            .key. Another file is named by --secrets-key-file; PLACARD_SECRETS_KEY holds the key itself, for those \
            who keep it elsewhere.
            """,
        subcommands: [SecretsPrepare.self, SecretsRotate.self, SecretsReset.self]
    )
}

/// The command `placard secrets prepare`.
struct SecretsPrepare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Writes a new key into the key file, for nodes to have before it is used.",
        discussion: """
            placard secrets prepare --database postgres://…

            Where several nodes share a database, each needs the new key before secrets are encrypted with it. Run \
            this on one of them, copy the key file to the others, then run placard secrets rotate --prepared. Servers \
            that are running read the file when they need the key.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let key = try await database.withSecretsStore(needsSecrets: true) { store in
            try await store.prepareSecretsKey()
        }
        if json { return Console.write(["key": .string(key)]) }
        Console.write("The key \(key) is in the first line of the key file.")
        Console.note("Copy the file to every node, then run `placard secrets rotate --prepared`.")
    }
}

/// The command `placard secrets rotate`.
struct SecretsRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Encrypts every secret with a new key.",
        discussion: """
            placard secrets rotate --database sqlite:cards.sqlite

            The new key becomes the first line of the key file. The old ones stay below it, since older backups need \
            them; --forget-old removes them. A server that is running goes on with the new key.

            Where servers on several hosts share a database, run placard secrets prepare before, copy the key file to \
            each of them, and give --prepared.

            With PLACARD_SECRETS_KEY, put the new key in front, as NEW,OLD, restart the server, run this, and then \
            take the old key away.
            """
    )

    @Flag(help: "Removes the old keys from the file. The secrets in older backups are then lost.")
    var forgetOld = false

    @Flag(help: "Uses the key that `placard secrets prepare` has written, which every node has by now.")
    var prepared = false

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let now = Date().timeIntervalSince1970
        let change = try await database.withSecretsStore(needsSecrets: true) { store in
            let choice: SecretsKeyChoice = prepared ? .prepared : .new
            return try await store.rotateSecretsKey(to: choice, forgettingOldKeys: forgetOld, at: now, by: .command)
        }
        if json { return Console.write(["key": .string(change.key), "secrets": .integer(Int64(change.count))]) }
        Console.write("Encrypted \(change.count) secret\(change.count == 1 ? "" : "s") with the key \(change.key).")
        Console.note("Keep a copy of the key apart from the backups.")
    }
}

/// The command `placard secrets reset`.
struct SecretsReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Removes the secrets that were encrypted with a lost key.",
        discussion: """
            placard secrets reset --confirm --database sqlite:cards.sqlite

            Switches every second factor off, gives the webhook a new secret, and creates a new key. Members then \
            sign in with the password alone, and are signed out everywhere. Tell the webhook's receiver the new \
            secret.
            """
    )

    @Flag(help: "Says that the key is lost for good.")
    var confirm = false

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        guard confirm else { throw ValidationError("This can't be undone. Give --confirm where the key is lost.") }
    }

    func run() async throws {
        let now = Date().timeIntervalSince1970
        let secret = "whsec_" + RandomText.letters(43)
        let change = try await database.withSecretsStore { store in
            try await store.resetSecrets(webhookSecret: secret, at: now, by: .command)
        }
        if json {
            return Console.write([
                "key": .string(change.key), "members": .array(change.members.map(JSONValue.string)),
                "webhook_secret": change.webhookSecret.map(JSONValue.string) ?? .null,
            ])
        }
        for member in change.members { Console.write("Switched two-factor sign-in off for \(member).") }
        if let secret = change.webhookSecret { Console.write("The webhook's secret is now \(secret)") }
        Console.write("Secrets are encrypted with the new key \(change.key).")
    }
}
