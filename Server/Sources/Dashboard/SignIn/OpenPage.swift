import CardServer
import HTTPTypes
import Hummingbird

/// Pages and forms of those who are not signed in.
struct OpenPage: Sendable {
    /// The longest form, in bytes; one that carries on what was typed when a session ended may be longer.
    private static let longestForm = 16_384
    private static let longestResumedForm = 2 << 20

    let site: Site
    let context: AppContext

    /// A form, or why it is not taken; each is taken once, as those of a session are.
    enum Taken {
        case form(FormData)
        case refused(Response)
    }

    func take(_ request: Request) async throws -> Taken {
        let isResumed = try await SessionCookie.findEvenExpired(request, context, site) != nil
        let form = try await request.form(atMost: isResumed ? Self.longestResumedForm : Self.longestForm)
        guard let action = refusal(of: form, request) else { return .form(form) }
        return .refused(try await FormRefusal(site: site, action: action).response(to: request, of: nil))
    }

    private func refusal(of form: FormData, _ request: Request) -> String? {
        guard request.isFromOwnPage, let key = key(request),
            let token = form[.csrf].flatMap({ FormToken($0, key: key) })
        else {
            return "request.forged"
        }
        return switch token.state(at: site.now) {
        case .forged: "request.forged"
        case .over: "request.late"
        case .valid: site.spentNonces.spend(token.nonce) ? nil : "request.replayed"
        }
    }

    /// Returns the key with which forms are signed before there is a session.
    private func key(_ request: Request) -> [UInt8]? {
        BrowserCookie.form.value(request, context).flatMap(SecretBytes.bytes).flatMap { $0.count == 32 ? $0 : nil }
    }

    func show(
        _ template: String,
        _ title: String,
        _ request: Request,
        _ view: Any,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let key = key(request) ?? SecretBytes.random(32)
        let csrf = FormToken(at: site.now).text(key: key)
        let page = PlainPageView(title: title, site: site, request: request, csrf: csrf, view: view)
        var response = Response.html(try site.templates.render(template, page), status: status)
        response.setCookie(BrowserCookie.form.cookie(SecretBytes.text(key), context, maxAge: nil))
        return response
    }
}
