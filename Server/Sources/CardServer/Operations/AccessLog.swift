import CardModel
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization
import WireJSON

/// Writes a line of JSON for each request: when, which route, what came of it, how long it took and where it came from.
///
/// No line names a user: paths are those of routes. A line is one write, so that lines of several processes don't mix.
public final class AccessLog: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// Opens a log, or returns `nil` where the file can't be written.
    ///
    /// - Parameter path: The file, to which is appended, or `-` for standard output.
    public init?(path: String) {
        guard let descriptor = Self.open(path) else { return nil }
        self.path = path
        self.descriptor = Mutex(descriptor)
    }

    deinit { descriptor.withLock { if $0 != STDOUT_FILENO { close($0) } } }

    /// Opens the file again, after it was renamed by a program that rotates logs.
    public func reopen() {
        guard let new = Self.open(path) else { return }
        descriptor.withLock { descriptor in
            if descriptor != STDOUT_FILENO { close(descriptor) }
            descriptor = new
        }
    }

    private static func open(_ path: String) -> Int32? {
        if path == "-" { return STDOUT_FILENO }
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : descriptor
    }

    func write(_ request: Request, _ context: AppContext, route: String, status: Int, seconds: Double) {
        var writer = JSONWriter(capacity: 256)
        writer.write([
            "time": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "id": .string(context.requestID), "method": .string(request.method.rawValue), "route": .string(route),
            "status": .integer(Int64(status)), "ms": .number((seconds * 1e6).rounded() / 1e3),
            "address": context.client.address.map { .string("\($0)") } ?? .null,
        ])
        writer.raw("\n")
        let bytes = writer.bytes
        // A disk that is full loses lines, and no request.
        descriptor.withLock { _ = Foundation.write($0, bytes, bytes.count) }
    }
}

/// Leaves every request to the application, for servers whose access log has to see all of them.
struct NoShortcut: Shortcut {
    let proxies: TrustedProxies

    func covers(_ method: HTTPMethod, _ uri: String) -> Bool { false }

    func answer(_ request: ShortcutRequest, _ body: ByteBuffer, _ memory: inout ShortcutMemory) -> ShortcutReply? {
        nil
    }
}
