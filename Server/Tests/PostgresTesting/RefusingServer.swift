import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Refuses every connection as a server does, with a message of a test's choice.
public final class RefusingServer: Sendable {
    /// The folder of the socket.
    public let folder: String
    private let listener: Int32

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - state: The SQLSTATE.
    ///   - message: The text, in whatever language.
    /// - Throws: ``PostgresCluster/Failure`` where the socket can't be made.
    public init(state: String, message: String) throws {
        folder = "/tmp/placard-refusing-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = try UnixSocket.open(folder + "/.s.PGSQL.5432") { bind($0, $1, $2) }
        guard listen(listener, 16) == 0 else { throw UnixSocket.failure() }
        let fields = "SFATAL\0VFATAL\0C\(state)\0M\(message)\0\0"
        // The length counts itself, and not the kind of message before it.
        let length = UInt32(fields.utf8.count + 4)
        let answer = [UInt8(ascii: "E")] + withUnsafeBytes(of: length.bigEndian, Array.init) + Array(fields.utf8)
        Thread.detachNewThread { [listener] in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let client = accept(listener, nil, nil), client >= 0 {
                _ = read(client, &buffer, buffer.count)
                _ = write(client, answer, answer.count)
                Foundation.close(client)
            }
        }
    }

    /// Stops to listen, and removes the socket.
    public func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
