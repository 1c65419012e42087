import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// `GET /v1/events/export`: the log of events from a position on, as a stream.
struct EventExportController: Sendable {
    private static let pageSize = 1000

    let services: Services

    @Sendable func export(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let query = BackendQuery(request)
        let filter = try filter(query)
        let after = Int64(try query.number("after", in: 0...Int.max) ?? 0)
        let format = try format(query)
        let headers: HTTPFields = [
            .contentType: format == .jsonl ? "application/x-ndjson; charset=utf-8" : "text/csv; charset=utf-8",
            .cacheControl: "no-store",
        ]
        // Nothing is exported, so nothing is read or noted.
        guard !caller.isHead else { return Response(status: .ok, headers: headers, body: .ofUnknownLength) }
        try await services.reads.note("event.export", details: ["after": .integer(after)], by: caller.key.actor)
        let first = try await services.store.eventPage(after: after, filter, limit: Self.pageSize)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await write(first, filter, format, for: caller.key, to: &writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Writes page after page until the end of the log, as it was when its last page was read.
    ///
    /// - Throws: ``StreamEndError`` once the key may no longer export.
    private func write(
        _ first: EventPage,
        _ filter: EventFilter,
        _ format: EventFormat,
        for caller: Caller,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        if let heading = format.heading { try await writer.write(ByteBuffer(string: heading)) }
        var page = first
        while true {
            page.noteUnreadable(in: services.logger, services.metrics)
            var lines = JSONWriter(capacity: page.events.count * 256)
            for event in page.events { format.write(event, to: &lines) }
            if !page.events.isEmpty { try await writer.write(ByteBuffer(bytes: lines.bytes)) }
            if page.isLast { return }
            guard services.authenticator.stillPermits(.exportEvents, caller) else { throw StreamEndError() }
            page = try await services.store.eventPage(after: page.position, filter, limit: Self.pageSize)
        }
    }

    private func format(_ query: BackendQuery) throws(RequestError) -> EventFormat {
        guard let name = query.text("format") else { return .jsonl }
        guard let format = EventFormat(rawValue: name) else { throw .fieldInvalid("format", expected: "jsonl or csv") }
        return format
    }

    private func filter(_ query: BackendQuery) throws -> EventFilter {
        var filter = EventFilter()
        if let names = query.text("type") {
            filter.types = Set(names.split(at: ",").map(String.init))
            guard filter.types.isSubset(of: EventFilter.typeNames) else {
                let names = EventFilter.typeNames.sorted().joined(separator: ", ")
                throw RequestError.fieldInvalid("type", expected: "one or some of \(names)")
            }
        }
        if let id = query.text("campaign_id") {
            guard let id = CampaignID(checking: id) else {
                throw RequestError.fieldInvalid("campaign_id", expected: Expected.slug)
            }
            filter.campaign = id
        }
        filter.from = try query.time("from")
        filter.until = try query.time("until")
        return filter
    }
}
