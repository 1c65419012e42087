import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import WireJSON

@testable import CardServer

@Suite("The right to an export", .timeLimit(.minutes(20)))
struct ExportRightTests {
    /// Fills the log with more than connections hold on their way.
    private func fill(_ workspace: Workspace) async throws {
        let properties = JSONValue.object(["text": .string(String(repeating: "x", count: 2_000))]).bytes
        for batch in 0..<5 {
            let events = (0..<1_000).map { number in
                DeviceEvent(
                    id: EventID(high: UInt64(batch), low: UInt64(number)),
                    kind: .custom(name: "filled"),
                    at: workspace.time.now,
                    properties: properties
                )
            }
            let batch = EventBatch(user: UserID(rawValue: "ann"), events: events, receivedAt: workspace.time.now)
            _ = try await workspace.store.recordEvents(batch)
        }
    }

    /// Begins an export with a key of its own, and reads nothing of it before a change is made.
    private func exported(
        _ workspace: Workspace,
        after change: (KeySecret) async throws -> Void
    ) async throws -> String {
        var key = KeySecret(name: "b", kind: .secret, permissions: [.exportEvents], createdAt: workspace.time.now)
        key.key.expiresAt = workspace.time.now + 3_600
        try await workspace.store.insertKey(key.key, by: .command)
        // Known to this process once it has read the keys again.
        while try await workspace.backend("/segments/list", key: key.text).code == "key_invalid" {}
        let export = try await OpenConnection.open(to: workspace.endpoint, reads: false)
        await export.send(
            "GET /v1/events/export HTTP/1.1\r\nHost: placard\r\nAuthorization: Bearer \(key.text)\r\n\r\n"
        )
        func hasBegun() async throws -> Bool {
            try await workspace.store.auditEntries(after: 0, limit: 1_000).contains { $0.action == "event.export" }
        }
        while try await !hasBegun() {}
        try await change(key)
        await export.startReading()
        return await export.readToEnd()
    }

    /// The end of a key's right to an export.
    enum KeyEnd: CaseIterable {
        case revocation, expiry, otherAddresses
    }

    @Test(
        "An export ends, and is cut off, when its key is revoked, expires or is for other addresses",
        arguments: KeyEnd.allCases
    )
    func ended(by end: KeyEnd) async throws {
        try await Workspace.run { workspace in
            try await fill(workspace)
            let text = try await exported(workspace) { (key: KeySecret) async throws -> Void in
                let path = "/v1/keys/\(key.key.id)"
                switch end {
                case .revocation: #expect(try await workspace.manage(.delete, path).status == 204)
                case .expiry: workspace.time.advance(by: 3_600)
                case .otherAddresses:
                    let change: JSONValue = ["allowed_addresses": ["203.0.113.9"]]
                    #expect(try await workspace.manage(.patch, path, change).status == 200)
                }
            }
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.utf8.count < 10_000_000 && !text.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test("An export of the audit log asks between pages whether it may go on")
    func auditLog() async throws {
        try await Workspace.run { workspace in
            let notes = (0..<2_500).map { AuditNote("user.read", of: "\($0)", details: .null, at: 0, by: .command) }
            try await workspace.store.appendAuditNotes(notes)
            for (isPermitted, lines) in [(true, 2_500...3_000), (false, 1_000...1_000)] {
                let export = AuditExport(store: workspace.store) { isPermitted }
                let response = try await export.response(after: 0, at: 0, by: .command)
                let received = Received()
                if isPermitted {
                    try await response.body.write(received)
                } else {
                    await #expect(throws: StreamEndError.self) { try await response.body.write(received) }
                }
                #expect(lines.contains(await received.lines.count))
                #expect(await received.lines.isFinished == isPermitted)
            }
        }
    }
}

/// Counts the lines of a body.
private struct Received: ResponseBodyWriter {
    actor Lines {
        var count = 0
        var isFinished = false

        func add(_ number: Int) { count += number }
        func finish() { isFinished = true }
    }

    let lines = Lines()

    func write(_ buffer: ByteBuffer) async throws {
        await lines.add(buffer.readableBytesView.count { $0 == UInt8(ascii: "\n") })
    }

    consuming func finish(_: HTTPFields?) async throws { await lines.finish() }
}
