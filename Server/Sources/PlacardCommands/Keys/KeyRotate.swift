import ArgumentParser
import CardModel
import CardServer
import CardStore
import Foundation
import WireJSON

/// The command `placard key rotate`.
struct KeyRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Rotates a key's secret and prints the new one, once.",
        discussion: """
            The present secret works beside the new one for as long as --overlap says, so that nothing is refused \
            while programs change to the new one.
            """
    )

    @Argument(help: "The key's id, key_…, as `placard key list` shows it.")
    var id: String

    @Option(help: "For how long both secrets work, such as 90s, 12h or 7d; 30d at most.")
    var overlap = TimeSpan(seconds: 86_400)

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        guard overlap.seconds <= APIKey.maximumOverlap else { throw ValidationError("--overlap is 30d at most.") }
    }

    func run() async throws {
        let now = Date().timeIntervalSince1970
        let isRotated = try await database.withStore(for: .writing) { store -> Bool in
            let keys = try await store.apiKeys()
            guard let key = keys.first(where: { $0.id.hasSameBytes(as: id) }), key.works(at: now) else { return false }
            let (secret, rotation) = KeySecret.rotate(key, overlap: overlap.seconds, at: now)
            // Once the key is rotated, the secret is nowhere else.
            try Console.deliver(json ? key.applying(rotation).text(with: secret) : secret)
            return try await store.rotateKey(rotation, by: .command)
        }
        guard isRotated else { throw CommandError("No key \(id) works. `placard key list` shows the keys.") }
        if !json { Console.note("This is the new secret of \(id). It is shown once: store it now.") }
    }
}

/// A length of time on the command line, such as `90s`, `12h` or `7d`.
struct TimeSpan: ExpressibleByArgument {
    /// The length in seconds.
    let seconds: Double

    /// Creates a length.
    init(seconds: Double) { self.seconds = seconds }

    /// Reads a whole number with a unit: `s`, `m`, `h` or `d`.
    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = UInt32(argument.dropLast()) else {
            return nil
        }
        seconds = Double(number) * unit
    }

    // safe: 32 bits of days
    /// The length in seconds, as it can be read again.
    var defaultValueDescription: String { "\(Int64(seconds))s" }
}
