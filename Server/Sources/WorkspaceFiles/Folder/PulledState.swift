import Crypto
import Foundation
import OrderedCollections
import WireJSON

/// The state of objects when they were last pulled from a server or applied to it, as `.placard/pulled.json` in the
/// folder keeps it, for each server.
///
/// By it a later command knows who has changed an object since then: the file, the server or both. It belongs to one
/// copy of the folder and isn't committed: a folder without it takes the files for the truth.
package struct PulledState: Sendable {
    private static let path = ".placard/pulled.json"

    /// Digests of an object.
    package struct Entry: Sendable, Hashable {
        /// The digest of what the file said.
        package let file: String
        /// The digest of what the server had.
        package let server: String
    }

    private let servers: JSONObject
    private let server: String
    private var entries: JSONObject

    /// Reads the state of a server.
    ///
    /// - Parameters:
    ///   - server: The server's address.
    ///   - folder: The folder.
    /// - Throws: `FileProblem` where the file can't be read.
    package init(of server: URL, in folder: WorkspaceFolder) throws(FileProblem) {
        self.server = Self.name(of: server)
        guard let text = try folder.text(at: Self.path) else {
            (servers, entries) = ([:], [:])
            return
        }
        guard let members = (try? JSONValue(parsing: text))?["servers"]?.object else {
            throw FileProblem(Self.path, "This can't be read. Remove it, and pull again.")
        }
        servers = members
        entries = members[self.server]?.object ?? [:]
    }

    /// Returns the one spelling of an address: a slash at its end, capitals in its host and the port that goes without
    /// saying make no other server, whose changes nobody would look for.
    private static func name(of server: URL) -> String {
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: true) else {
            return server.absoluteString
        }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
        while parts.path.hasSuffix("/") { parts.path = String(parts.path.dropLast()) }
        return parts.string ?? server.absoluteString
    }

    /// Accesses the state of an object, or `nil` where it isn't known.
    package subscript(reference: ObjectReference) -> Entry? {
        guard let entry = entries[reference.text], let file = entry["file"]?.string,
            let server = entry["server"]?.string
        else { return nil }
        return Entry(file: file, server: server)
    }

    /// Notes what an object is.
    package mutating func note(_ reference: ObjectReference, file: WorkspaceObject, server: WorkspaceObject) {
        entries[reference.text] = [
            "file": .string(Self.digest(file)), "server": .string(Self.digest(server)),
        ]
    }

    /// Notes what the server has of an object after a part of what its file says was applied: the file stays one that
    /// was edited, which no pull overwrites, and the change on the server is no other's.
    package mutating func note(_ reference: ObjectReference, server: WorkspaceObject) {
        entries[reference.text] = [
            "file": .string(self[reference]?.file ?? ""), "server": .string(Self.digest(server)),
        ]
    }

    /// Notes an object that the server has as its file says, where something else is known of it, as after an apply
    /// that was interrupted or another one's.
    ///
    /// - Parameters:
    ///   - file: What the file says.
    ///   - server: What the server has.
    /// - Returns: Whether that was new. Of an object of which nothing is known, nothing is noted.
    package mutating func renew(file: WorkspaceObject, server: WorkspaceObject) -> Bool {
        let entry = Entry(file: Self.digest(file), server: Self.digest(server))
        guard let known = self[file.reference], known != entry else { return false }
        note(file.reference, file: file, server: server)
        return true
    }

    /// Writes the state.
    ///
    /// - Throws: `FileProblem` where it can't be written.
    package func write(to folder: WorkspaceFolder) throws(FileProblem) {
        // The folder ignores itself.
        try folder.write("*\n", to: ".placard/.gitignore")
        var all = servers
        all[server] = .object(entries)
        try folder.write(JSONValue.object(["servers": .object(all)]).text + "\n", to: Self.path)
    }

    /// Returns what tells one state of an object from others.
    package static func digest(_ object: WorkspaceObject) -> String {
        let digest = SHA256.hash(data: Data(sorted(.object(object.members)).bytes))
        return Data(digest.prefix(16)).base64EncodedString()
    }

    /// The value with members in the order of their names, which means nothing.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(sorted))
        case .object(let members):
            let pairs = members.elements.sorted { $0.key.precedesInBytes($1.key) }
            return .object(
                JSONObject(pairs.map { ($0.key, sorted($0.value)) }, uniquingKeysWith: { first, _ in first })
            )
        default: return value
        }
    }
}
