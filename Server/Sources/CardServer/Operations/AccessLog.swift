import CardModel
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import WireJSON

/// Writes a line of JSON for each request: when, which route, what came of it, how long it took and where it came from.
///
/// No line names a user: paths are those of routes. A line is one write, so that lines of several processes don't mix. A
/// reader of standard output that stands still holds no request up: lines wait, and are lost beyond a mebibyte.
public final class AccessLog: Sendable {
    private let path: String
    private let output: LineWriter

    /// Opens a log, or returns `nil` where the file can't be written.
    ///
    /// - Parameter path: The file, to which is appended, or `-` for standard output.
    public init?(path: String) {
        guard let descriptor = Self.open(path) else { return nil }
        self.path = path
        output = LineWriter(descriptor)
    }

    deinit { Self.close(output.exchange(-1)) }

    /// The number of lines that were lost: the disk was full, or nobody read them.
    var lostLines: Int { output.lost }

    /// Opens the file again, after it was renamed by a program that rotates logs.
    public func reopen() {
        guard let new = Self.open(path) else { return }
        // While a reader stands still, the old one stays.
        Self.close(output.exchange(new) ?? new)
    }

    private static func close(_ descriptor: Int32?) {
        if let descriptor, descriptor != STDOUT_FILENO { Foundation.close(descriptor) }
    }

    private static func open(_ path: String) -> Int32? {
        if path == "-" { return STDOUT_FILENO }
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : descriptor
    }

    func write(
        _ request: Request,
        _ context: AppContext,
        route: String,
        status: Int,
        seconds: Double,
        trace: TraceID?
    ) {
        var writer = JSONWriter(capacity: 256)
        var line: JSONValue = [
            "time": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "id": .string(context.requestID), "method": .string(request.method.rawValue), "route": .string(route),
            "status": .integer(Int64(status)), "ms": .number((seconds * 1e6).rounded() / 1e3),
            "address": context.client.address.map { .string("\($0)") } ?? .null,
        ]
        if let trace, case .object(var members) = line {
            members["trace_id"] = .string(trace.text)
            line = .object(members)
        }
        writer.write(line)
        writer.raw("\n")
        output.write(writer.bytes)
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
