import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import Logging

/// Makes a page of what no page has dealt with: paths that are not there, and failures.
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
        } catch {
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
}
