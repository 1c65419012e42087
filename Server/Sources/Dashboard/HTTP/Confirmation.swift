import CardModel
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let confirmation = PageDescriptor(templates: ["confirm": PackageResources.confirm_mustache])
}

/// Asks for the password again, and for a code where a second factor is on, before keys, team and settings are changed:
/// a session that was left open or stolen is not enough for that.
enum Confirmation {
    struct ConfirmationView {
        let to: String
        let field: String
        let codeField: String
        let hasFactor: Bool
        /// The address of the member, by which password managers find the password.
        let email: String
        let fields: [CarriedField]
        let hasPassword: Bool
        /// The OpenID provider with which the member can confirm instead, or `nil`.
        let provider: String?
        var error: String?
        /// Whether the password or the code is wrong.
        let isWrong: Bool
    }

    /// The field of the form in which the password comes.
    static let field = "confirm_password"
    /// The field of the form in which the code of the second factor comes.
    static let codeField = "confirm_code"
    /// The time for which the password counts, in seconds.
    private static let lifetime = 600.0

    /// Whether the password was given in the last minutes.
    static func isFresh(_ session: Session, at now: UnixTime) -> Bool {
        (0...lifetime).contains(now - session.confirmedAt)
    }

    /// The page that asks for the password and carries the form on.
    static func page(
        _ context: PageContext,
        error: String? = nil,
        isWrong: Bool = false,
        status: HTTPResponse.Status = .unauthorized
    ) throws -> Response {
        let fields = context.form.fields.filter { !["csrf", field, codeField].contains($0.name) }
        let view = ConfirmationView(
            to: context.request.uri.path,
            field: field,
            codeField: codeField,
            hasFactor: context.member.codeSecret != nil,
            email: context.member.email,
            fields: CarriedField.all(fields),
            hasPassword: context.site.allowsPasswords,
            provider: context.member.identity.flatMap { _ in context.site.server.provider?.settings.name },
            error: error,
            isWrong: isWrong
        )
        return try context.page(
            "confirm",
            title: localized("Confirm that it’s you"),
            in: .account,
            status: status,
            view
        )
    }

    /// The member whose password, and code where a second factor is on, the form has; `nil` where one of them is wrong.
    private static func confirmedMember(_ context: PageContext) async throws -> TeamMember? {
        guard context.site.allowsPasswords, try await context.isOwnPassword(context.form[field]) else { return nil }
        return context.member.codeSecret == nil ? context.member : try await context.usingCode(context.form[codeField])
    }

    /// Sends the form on where the password is right; the session then goes on under another cookie.
    static func send(_ context: PageContext, _ next: (PageContext) async throws -> Response) async throws -> Response {
        let member: TeamMember
        do {
            guard let confirmed = try await confirmedMember(context) else {
                let wrong =
                    context.member.codeSecret == nil
                    ? localized("The password is wrong.") : localized("The password or code is wrong.")
                return try page(context, error: wrong, isWrong: true)
            }
            member = confirmed
        } catch let later as TryLater {
            return try later.response { try page(context, error: later.message, status: $0) }
        }
        let secret = SecretBytes.random(32)
        var (session, form) = (context.session, context.form)
        form.removeAll { [field, codeField].contains($0.name) }
        session.hash = SecretBytes.hash(secret)
        session.confirmedAt = context.now
        guard try await context.store.confirmSession(context.session.hash, as: session.hash, at: context.now) else {
            return .seeOther("/dashboard/sign-in")
        }
        let confirmed = PageContext(context.site, context.request, context.appContext, (session, member), form: form)
        var response = try await next(confirmed)
        let age = SessionCookie.cookieLifetime
        response.setCookie(BrowserCookie.session.cookie(SecretBytes.text(secret), context.appContext, maxAge: age))
        return response
    }
}
