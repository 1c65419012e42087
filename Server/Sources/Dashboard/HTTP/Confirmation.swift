import CardModel
import CardStore
import HTTPTypes
import Hummingbird

/// Asks for the password again, and for a code where a second factor is on, before keys, team and settings are changed:
/// a session that was left open or stolen is not enough for that.
enum Confirmation {
    struct View {
        struct Field {
            let name: String
            let value: String
        }

        let to: String
        let field: String
        let codeField: String
        let hasFactor: Bool
        let fields: [Field]
        let hasPassword: Bool
        /// The OpenID provider with which the member can confirm instead, or `nil`.
        let provider: String?
        var error: String?
    }

    /// The field of the form in which the password comes.
    static let field = "confirm_password"
    /// The field of the form in which the code of the second factor comes.
    static let codeField = "confirm_code"
    /// How long the password counts, in seconds.
    private static let lifetime = 600.0

    /// Whether the password was given in the last minutes.
    static func isFresh(_ session: Session, at now: UnixTime) -> Bool {
        (0...lifetime).contains(now - session.confirmedAt)
    }

    /// The page that asks for the password and carries the form on.
    static func page(
        _ visit: Visit,
        error: String? = nil,
        status: HTTPResponse.Status = .unauthorized
    ) throws -> Response {
        let fields = visit.form.fields.filter { !["csrf", field, codeField].contains($0.name) }
        let view = View(
            to: visit.request.uri.path,
            field: field,
            codeField: codeField,
            hasFactor: visit.member.codeSecret != nil,
            fields: fields.map { View.Field(name: $0.name, value: $0.value) },
            hasPassword: visit.site.allowsPasswords,
            provider: visit.member.identity.flatMap { _ in visit.site.server.provider?.settings.name },
            error: error
        )
        return try visit.page("confirm", title: localized("Confirm that it’s you"), in: .account, status: status, view)
    }

    /// The member whose password, and code where a second factor is on, the form has; `nil` where one of them is wrong.
    private static func confirmedMember(_ visit: Visit) async throws -> TeamMember? {
        guard visit.site.allowsPasswords, try await visit.isOwnPassword(visit.form[field]) else { return nil }
        return visit.member.codeSecret == nil ? visit.member : try await visit.usingCode(visit.form[codeField])
    }

    /// Sends the form on where the password is right; the session then goes on under another cookie.
    static func send(_ visit: Visit, _ next: (Visit) async throws -> Response) async throws -> Response {
        let member: TeamMember
        do {
            guard let confirmed = try await confirmedMember(visit) else {
                let wrong =
                    visit.member.codeSecret == nil
                    ? localized("The password is wrong.") : localized("The password or code is wrong.")
                return try page(visit, error: wrong)
            }
            member = confirmed
        } catch let later as TryLater {
            return try later.response { try page(visit, error: later.message, status: $0) }
        }
        let secret = SecretBytes.random(32)
        var (session, form) = (visit.session, visit.form)
        form.fields.removeAll { [field, codeField].contains($0.name) }
        session.hash = SecretBytes.hash(secret)
        session.confirmedAt = visit.now
        guard try await visit.store.confirmSession(visit.session.hash, as: session.hash, at: visit.now) else {
            return .seeOther("/dashboard/sign-in")
        }
        let confirmed = Visit(visit.site, visit.request, visit.context, (session, member), form: form)
        var response = try await next(confirmed)
        let age = Int(SessionCookie.lifetime)
        response.setCookie(BrowserCookie.session.cookie(SecretBytes.text(secret), visit.context, maxAge: age))
        return response
    }
}
