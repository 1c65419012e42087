import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

extension APIKey.KeyKind: ExpressibleByArgument {}
extension Permission: ExpressibleByArgument {}

/// The command `placard key create`.
struct KeyCreate: AsyncParsableCommand {
    /// The longest time for which a key can be asked to work, in days: a longer one is a slip, or means for ever.
    private static let longestDays = 36_500.0

    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a key and prints its secret, once.",
        discussion: """
            A publishable key goes into an app, where anybody can read it; it opens the device API and nothing else. \
            A secret key stays on a server. The secret is kept nowhere: store it now.
            """
    )

    @Option(help: ArgumentHelp("What people call it.", valueName: "name"))
    var name: String

    @Option(help: "Who holds it.")
    var kind: APIKey.KeyKind

    @Option(help: "What a secret key may do; may be given several times (default: manage).")
    var permission: [Permission] = []

    @Option(help: "For how long it works, such as 12h or 90d; 36500d at most (default: for ever).")
    var expires: TimeSpan?

    @Option(help: "An address or range, such as 10.0.0.0/8, that may use a secret key; may be given several times.")
    var allowAddress: [String] = []

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        // safe: constants
        if let expires, !(1...Self.longestDays * 86_400).contains(expires.seconds) {
            throw ValidationError(
                "--expires is 1s to 36500d; without it, the key works for ever. `placard key revoke` ends one at once."
            )
        }
        if kind == .publishable, !Set(permission).subtracting([.device]).isEmpty {
            throw ValidationError("A publishable key may only have the permission device.")
        }
        if kind == .publishable, !allowAddress.isEmpty {
            throw ValidationError("--allow-address is for secret keys.")
        }
        guard allowAddress.count <= APIKey.maximumAddresses else {
            throw ValidationError("--allow-address can be given at most \(APIKey.maximumAddresses) times.")
        }
        if let text = allowAddress.first(where: { AddressRange($0) == nil }) {
            throw ValidationError("\(text) is not an IP address or a range such as 10.0.0.0/8.")
        }
        do {
            _ = try newKey(at: Date().timeIntervalSince1970)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The key that is asked for, read as the API reads it.
    private func newKey(at now: UnixTime) throws(ModelError) -> NewKey {
        var body: JSONObject = [
            "name": .string(name), "kind": .string(kind.rawValue),
            "allowed_addresses": .array(allowAddress.map(JSONValue.string)),
        ]
        if !permission.isEmpty { body["permissions"] = .array(permission.map { .string($0.rawValue) }) }
        if let expires { body["expires_at"] = .number(now + expires.seconds) }
        return try NewKey(json: .object(body), at: now)
    }

    func run() async throws {
        let now = Date().timeIntervalSince1970
        let secret = KeySecret(try newKey(at: now), createdAt: now)
        let key = secret.key
        let result = json ? key.text(with: secret.text) : secret.text
        try await database.withStore(for: .writing) { store in
            // No key works whose secret could not be written.
            try Console.deliver(result)
            try await store.insertKey(key, by: .command)
        }
        if !json { Console.note("This is the secret of \(key.id). It is shown once: store it now.") }
    }
}

extension APIKey {
    /// Returns the key with its secret as JSON.
    func text(with secret: String) -> String {
        var members = json.object ?? [:]
        members["secret"] = .string(secret)
        return JSONValue.object(members).text
    }
}
