import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

extension APIKey.Kind: ExpressibleByArgument {}
extension Permission: ExpressibleByArgument {}

/// The command `placard key create`.
struct KeyCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes a key and writes its secret, once.",
        discussion: """
            A publishable key goes into an app, where anybody can read it; it opens the device API and nothing else.
            A secret key stays on a server. The secret is kept nowhere: store it now.
            """
    )

    @Option(help: ArgumentHelp("What people call it.", valueName: "name"))
    var name: String

    @Option(help: "Who holds it.")
    var kind: APIKey.Kind

    @Option(help: "What a secret key may do; may be given several times (default: manage).")
    var permission: [Permission] = []

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        guard (1...255).contains(name.utf8.count) else { throw ValidationError("--name has 1 to 255 bytes.") }
        if kind == .publishable, !Set(permission).subtracting([.device]).isEmpty {
            throw ValidationError("A publishable key may only have the permission device.")
        }
    }

    func run() async throws {
        let secret = KeySecret(
            name: name,
            kind: kind,
            permissions: permission.isEmpty ? [.manage] : Set(permission),
            createdAt: Date().timeIntervalSince1970
        )
        try await database.withStore { try await $0.insert(secret.key, by: .command) }
        guard json else {
            Console.write(secret.text)
            return Console.note("This is the secret of \(secret.key.id). It is shown once: store it now.")
        }
        var members = secret.key.listing.object ?? [:]
        members["secret"] = .string(secret.text)
        Console.write(.object(members))
    }
}
