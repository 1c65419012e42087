import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let live = PageDescriptor { routes in
        routes.get("/dashboard/live", .viewer, LivePage.stream)
    }
}

/// `GET /dashboard/live`: tells an open page that numbers or campaigns are others now.
enum LivePage {
    /// The number of seconds after which a page that is refused tries again; until then it asks for its numbers now and
    /// then.
    private static let retryAfter = "60"

    @Sendable static func stream(_ context: PageContext) async throws -> Response {
        do throws(PageStreams.PageStreamError) {
            return try await context.site.server.pageStreams.response(
                to: context.request,
                context.appContext,
                of: context.session.hash
            ) { [site = context.site, role = context.member.role] session, member in
                site.entitles(session, member, to: role)
            }
        } catch {
            return Response(
                status: error == .full ? .serviceUnavailable : .tooManyRequests,
                headers: [.retryAfter: retryAfter, .cacheControl: "no-store"]
            )
        }
    }
}

extension PageContext {
    /// Returns whether the session goes on and its member has the role that the page was opened with.
    func isStillEntitled() async throws -> Bool {
        guard let known = try await store.session(session.hash) else { return false }
        return site.entitles(known.session, known.member, to: member.role)
    }
}

extension Site {
    /// Returns whether a session, as it is by now, entitles to what needed a role when it was opened.
    fileprivate func entitles(_ session: Session, _ member: TeamMember, to role: Role) -> Bool {
        limiting(session, of: member).isOpen(at: now) && member.role >= role && !requiresSetup(of: member)
    }
}
