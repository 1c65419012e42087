import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// `GET /dashboard/live`: tells an open page that numbers or campaigns are others now.
enum LivePage {
    private static let interval = Duration.seconds(1)
    /// A comment after so many looks keeps proxies from closing the stream.
    private static let quietLooks = 15

    @Sendable static func stream(_ context: PageContext) async throws -> Response {
        let store = context.store
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close"],
            body: ResponseBody { writer in
                var (last, looks) = (try await Mark(store), 0)
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                while !Task.isCancelled, !Task.isShuttingDownGracefully {
                    try await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
                    guard try await context.isStillEntitled() else { break }
                    let mark = try await Mark(store)
                    looks = mark == last ? looks + 1 : 0
                    if mark != last {
                        try await writer.write(ByteBuffer(string: "event: changed\ndata: {}\n\n"))
                    } else if looks % quietLooks == 0 {
                        try await writer.write(ByteBuffer(string: ":\n\n"))
                    }
                    last = mark
                }
                try await writer.finish(nil)
                throw StreamEnd()
            }
        )
    }
}

extension PageContext {
    /// Returns whether the session goes on and its member has the role that the page was opened with.
    ///
    /// A stream may be open for days, so the right to it is checked for as long as it is open.
    func isStillEntitled() async throws -> Bool {
        guard let known = try await store.session(session.hash) else { return false }
        return known.session.isOpen(at: now) && known.member.role >= member.role
            && !site.requiresSetup(of: known.member)
    }
}
