import CardModel
import Logging
import Synchronization
import WireJSON

/// Fetches the public keys that an identity provider publishes.
struct KeySetSource: Sendable {
    let client: OutboundClient
    let logger: Logger
    /// The time that a provider has to answer, in seconds.
    var timeout = 5.0
    /// The keys that were passed over, as the log has it.
    let told = ToldLines()

    /// Fetches the keys at an address.
    ///
    /// There is one error for all that can go wrong: an address of the settings must not show which ports of a network
    /// are open. The cause is in the log.
    ///
    /// - Throws: `ModelError` at `jwks_url`.
    func keys(at address: String) async throws(ModelError) -> JSONWebKeySet {
        let cause: String
        do {
            return try await fetch(address)
        } catch let error as ModelError {
            cause = "\(error.path): \(error.message)"
        } catch {
            cause = "\(error)"
        }
        // The path and query may have a secret in them.
        let host = OutboundURL(address)?.authority ?? ""
        logger.warning("The set of keys could not be fetched", metadata: ["host": "\(host)", "error": "\(cause)"])
        throw ModelError(.fieldInvalid, at: "jwks_url", "No set of public keys could be fetched from there.")
    }

    private func fetch(_ address: String) async throws -> JSONWebKeySet {
        guard let url = OutboundURL(address), url.isSecure || client.allowsPrivateHosts else {
            throw OutboundError.unreachable("The URL cannot be used")
        }
        let request = OutboundRequest(url: url, headers: ["Accept": "application/json"])
        let response = try await client.send(request, timeout: timeout, bodyLimit: JSONWebKeySet.maximumSize)
        guard response.status == 200 else { throw OutboundError.unreachable("HTTP \(response.status)") }
        var unused: [String] = []
        // A set isn't refused for one key: others may have been revoked since.
        let set = try JSONWebKeySet(fetched: try JSONValue(parsing: response.body), at: "jwks", unused: &unused)
        let usable = try UserTokenVerifier.usable(set, unused: &unused)
        if told.isNew(unused) {
            logger.notice(
                "Some keys of the set check no user tokens",
                metadata: ["host": "\(url.authority)", "keys": "\(unused.joined(separator: ", "))"]
            )
        }
        return usable
    }
}

/// Remembers which lines were told last, so that what is fetched again and again is told once.
final class ToldLines: Sendable {
    private let last = Mutex<[String]>([])

    /// Returns whether the lines are others than those of the last time; none are never new.
    func isNew(_ lines: [String]) -> Bool {
        last.withLock { last in
            defer { last = lines }
            return !lines.isEmpty && last != lines
        }
    }
}
