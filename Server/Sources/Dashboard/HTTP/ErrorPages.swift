import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import Logging

/// Makes a page of what no page has answered: paths that are not there, and failures.
struct ErrorPages: RouterMiddleware {
    let site: Site

    func handle(
        _ request: Request,
        context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let exceeded as FormBounds.Exceeded {
            return try ErrorView.tooLarge(exceeded.message).page(site, request)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            return try ErrorView.tooLarge(localized("Go back and shorten it, or split what you are editing.")).page(
                site,
                request
            )
        } catch let error as StoreError where error.code == .conflict {
            return try ErrorView(error).page(site, request)
        } catch let error as any HTTPResponseError {
            let missing = ErrorView.notFound
            let view = ErrorView(status: error.status, heading: missing.heading, text: missing.text)
            return try view.page(site, request)
        } catch let later as TryLater {
            return try later.response { try ErrorView(later, status: $0).page(site, request) }
        } catch is PasswordQueue.Busy {
            return try TryLater.busy.response { try ErrorView(TryLater.busy, status: $0).page(site, request) }
        } catch {
            if let refusal = ServiceError(ofUnreadRequest: error) { return try unread(refusal, request) }
            site.server.logger.error(
                "A page failed",
                metadata: [
                    "method": "\(request.method)", "path": "\(LoggedPath.text(request.uri.path))",
                    "error": "\(error)",
                ]
            )
            let text = localized("Try again. If the problem persists, contact your administrator.")
            return try ErrorView(status: .internalServerError, heading: localized("Something went wrong"), text: text)
                .page(site, request)
        }
    }

    /// Says that a form didn't arrive: it was no HTTP, came too slowly, or there was no room for it.
    private func unread(_ refusal: ServiceError, _ request: Request) throws -> Response {
        let isBusy = refusal.retryAfter != nil
        let view = ErrorView(
            status: HTTPResponse.Status(code: refusal.status),
            heading: isBusy ? localized("The server is busy") : localized("The form didn’t arrive"),
            text: isBusy
                ? localized("Go back and send the form again in a few seconds.")
                : localized("Go back and send it again."),
            retryAfter: refusal.retryAfter
        )
        return try view.page(site, request)
    }
}
