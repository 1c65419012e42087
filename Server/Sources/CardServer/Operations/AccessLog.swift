import CardModel
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import WireJSON

/// Writes a line of JSON for each request: when, which route, what came of it, how long it took and where it came from.
///
/// No line names a user: paths are those of routes. A line is one write, so that lines of several processes don't mix.
/// A reader of standard output that stands still holds no request up: lines wait, and are lost beyond a mebibyte.
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
    ///
    /// - Returns: Whether it could be opened; lines go where they went before otherwise.
    @discardableResult
    public func reopen() -> Bool {
        guard let new = Self.open(path) else { return false }
        // While a reader stands still, the old one stays.
        Self.close(output.exchange(new) ?? new)
        return true
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
        trace: TraceID?,
        reason: String?
    ) {
        write(
            Line(
                id: context.requestID,
                method: request.method.rawValue,
                route: route,
                status: status,
                seconds: seconds,
                address: context.client.address,
                trace: trace,
                reason: reason
            )
        )
    }

    /// Writes down what has no route, since it was refused before.
    func write(_ refusal: EarlyRefusal) {
        var line = Line(
            id: refusal.id,
            method: refusal.method,
            route: ServerMetrics.Route.other.label,
            status: refusal.status,
            address: refusal.address
        )
        (line.reason, line.omitted) = (refusal.reason, refusal.omitted)
        write(line)
    }

    private func write(_ line: Line) {
        var writer = JSONWriter(capacity: 256)
        writer.write(line.json)
        writer.raw("\n")
        output.write(writer.bytes)
    }
}

/// The line that is written of a request.
private struct Line {
    let id: String
    /// The method, or `nil` where no head could be read.
    let method: String?
    let route: String
    /// The status, or `nil` where the connection was closed without an answer.
    let status: Int?
    var seconds = 0.0
    let address: IPAddress?
    var trace: TraceID?
    /// The reason why it was refused before it had a route, or that the server stopped before it had arrived.
    var reason: String?
    /// The number of lines like it that were left out before it.
    var omitted = 0

    var json: JSONValue {
        var line: JSONObject = [
            "time": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "id": .string(id), "method": method.map(JSONValue.string) ?? .null, "route": .string(route),
            "status": status.map { .integer(Int64($0)) } ?? .null, "ms": .number((seconds * 1e6).rounded() / 1e3),
            "address": address.map { .string("\($0)") } ?? .null,
        ]
        if let trace { line["trace_id"] = .string(trace.text) }
        if let reason { line["reason"] = .string(reason) }
        // safe: an Int of 64 bits
        if omitted > 0 { line["left_out_before"] = .integer(Int64(omitted)) }
        return .object(line)
    }
}

/// Leaves every request to the application, for servers whose access log has to see all of them.
struct NoShortcut: Shortcut {
    let proxies: TrustedProxies

    func covers(_ method: HTTPMethod, _ uri: String) -> Bool { false }

    func answer(
        _ request: ShortcutRequest,
        _ body: ByteBuffer,
        _ memory: inout ShortcutMemory,
        on eventLoop: any EventLoop
    ) -> ShortcutAnswer {
        .application
    }
}
