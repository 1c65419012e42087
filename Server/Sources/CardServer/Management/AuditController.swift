import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// `/v1/audit`: who did what.
struct AuditController: Sendable {
    let services: Services

    /// Shows the entries before a position, the newest first, and where the next page begins.
    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let limit = try PageQuery(request).limit
        let entries = try await services.store.latestAuditEntries(before: try position("before", request), limit: limit)
        let next = entries.count == limit ? entries.last?.position : nil
        return Response(
            json: ["entries": .array(entries.map(\.json)), "next": next.map(JSONValue.integer) ?? .null]
        )
    }

    /// Streams the entries after a position, the oldest first, one a line.
    @Sendable func export(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let after = try position("after", request) ?? 0
        let export = AuditExport(store: services.store) { services.authenticator.stillPermits(.settings, caller) }
        return try await export.response(
            after: after,
            at: services.clock(),
            by: caller.actor,
            isHead: context.isHead
        )
    }

    private func position(_ name: String, _ request: Request) throws(RequestError) -> Int64? {
        guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
        guard let position = Int64(text), position >= 0 else { throw .fieldInvalid(name, expected: Expected.position) }
        return position
    }
}

/// The audit log as JSON lines.
package struct AuditExport: Sendable {
    private static let pageSize = 1000

    let store: any CardStore
    private static let headers: HTTPFields = [
        .contentType: "application/x-ndjson; charset=utf-8", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"audit.jsonl\"",
    ]
    private let isPermitted: @Sendable () async throws -> Bool

    /// Creates the export of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isPermitted: Whether the one who asked may still read it, which is asked between any two pages.
    package init(store: any CardStore, isPermitted: @escaping @Sendable () async throws -> Bool) {
        self.store = store
        self.isPermitted = isPermitted
    }

    /// Notes the export in the log, and streams the entries after a position up to that one, the oldest first.
    ///
    /// For a client that asked for the head alone, nothing is noted or read.
    ///
    /// - Throws: What keeps the store from writing or reading.
    package func response(
        after: Int64,
        at now: UnixTime,
        by actor: Actor,
        isHead: Bool = false
    ) async throws -> Response {
        guard !isHead else { return Response(status: .ok, headers: Self.headers, body: .ofUnknownLength) }
        let details: JSONValue = ["after": .integer(after)]
        try await store.appendAuditNotes([AuditNote("audit.export", of: "audit", details: details, at: now, by: actor)])
        let end = try await store.auditChain().last.position
        let first = try await store.auditEntries(after: after, limit: Self.pageSize)
        return Response(
            status: .ok,
            headers: Self.headers,
            body: ResponseBody { [store, isPermitted] writer in
                var page = first
                while let last = page.last {
                    let shown = page.filter { $0.position <= end }
                    try await writer.write(ByteBuffer(string: shown.map { $0.json.text + "\n" }.joined()))
                    if last.position >= end { break }
                    guard try await isPermitted() else { throw StreamEndError() }
                    page = try await store.auditEntries(after: last.position, limit: Self.pageSize)
                }
                try await writer.finish(nil)
            }
        )
    }
}

extension AuditEntry {
    /// The entry as it is read back and exported.
    var json: JSONValue {
        [
            "position": .integer(position), "at": .number(at), "actor": .string(actor),
            "actor_kind": .string(actorKind), "action": .string(action), "subject": .string(subject),
            "details": details.flatMap { try? JSONValue(parsing: $0) } ?? .null,
            "hash": .string(AuditChain.hexadecimal(hash)),
        ]
    }
}
