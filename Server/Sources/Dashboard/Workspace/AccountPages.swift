import CardModel
import CardStore
import HTTPTypes
import Hummingbird

/// What members change of themselves.
enum AccountPages {
    struct View {
        let email: String
        let role: String
        var hasFactor: Bool
        var secret: String?
        var secretValue: String?
        var address: String?
        var code: String?
        var recoveryCodes: [String] = []
        var hasRecoveryCodes = false
        var codesLeft: String
        var passwordError: String?
        var factorError: String?
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        try page(visit, view(visit))
    }

    private static func view(_ visit: Visit, secret: [UInt8]? = nil) -> View {
        var view = View(
            email: visit.member.email,
            role: visit.member.role.rawValue,
            hasFactor: visit.member.codeSecret != nil,
            codesLeft: String(visit.member.recoveryCodes.count)
        )
        if !view.hasFactor {
            let code = TimeBasedCode(secret: secret ?? SecretBytes.random(20))
            view.secret = code.secretText
            view.secretValue = SecretBytes.text(code.secret)
            view.address = code.address(for: visit.member.email)
            view.code = QRCode(code.address(for: visit.member.email))?.svg
        }
        return view
    }

    private static func page(_ visit: Visit, _ view: View, status: HTTPResponse.Status = .ok) throws -> Response {
        try visit.page("account", title: "Your account", in: .account, status: status, view)
    }

    @Sendable static func changePassword(_ visit: Visit) async throws -> Response {
        var member = visit.member
        var view = view(visit)
        guard await PasswordWork.verify(visit.form["current"] ?? "", against: member.passwordHash) else {
            view.passwordError = "The current password is wrong."
            return try page(visit, view, status: .badRequest)
        }
        do {
            try NewMember.check(visit.form["password"] ?? "")
        } catch {
            view.passwordError = error.message
            return try page(visit, view, status: .badRequest)
        }
        member.passwordHash = try await PasswordWork.hash(visit.form["password"] ?? "")
        try await keep(member, "member.password", visit)
        return .seeOther("/dashboard/account?done=password")
    }

    @Sendable static func switchFactor(_ visit: Visit) async throws -> Response {
        var member = visit.member
        guard await PasswordWork.verify(visit.form["current"] ?? "", against: member.passwordHash) else {
            var view = view(visit, secret: visit.form["secret"].flatMap(SecretBytes.bytes))
            view.factorError = "The password is wrong."
            return try page(visit, view, status: .badRequest)
        }
        if member.codeSecret != nil {
            member.codeSecret = nil
            member.recoveryCodes = []
            try await keep(member, "member.factor-off", visit)
            return .seeOther("/dashboard/account?done=factor-off")
        }
        guard let secret = visit.form["secret"].flatMap(SecretBytes.bytes), secret.count == 20,
            let step = TimeBasedCode(secret: secret).step(of: visit.form["code"] ?? "", at: visit.now, after: 0)
        else {
            var view = view(visit, secret: visit.form["secret"].flatMap(SecretBytes.bytes))
            view.factorError = "The code is wrong. Check that the clock of the phone is right."
            return try page(visit, view, status: .badRequest)
        }
        member.codeSecret = secret
        member.lastCodeStep = step
        return try await giveRecoveryCodes(to: member, "member.factor-on", visit)
    }

    /// Makes new recovery codes in place of those that are left.
    @Sendable static func renewRecoveryCodes(_ visit: Visit) async throws -> Response {
        guard visit.member.codeSecret != nil else { throw DashboardError.notFound }
        guard await PasswordWork.verify(visit.form["current"] ?? "", against: visit.member.passwordHash) else {
            var view = view(visit)
            view.factorError = "The password is wrong."
            return try page(visit, view, status: .badRequest)
        }
        return try await giveRecoveryCodes(to: visit.member, "member.recovery-renewed", visit)
    }

    /// Shows the codes in the answer itself: they are kept nowhere, so no other page could.
    private static func giveRecoveryCodes(
        to member: TeamMember,
        _ action: String,
        _ visit: Visit
    ) async throws -> Response {
        let codes = RecoveryCodes()
        var member = member
        member.recoveryCodes = try await codes.hashes()
        try await keep(member, action, visit)
        var view = view(visit)
        view.hasFactor = true
        view.recoveryCodes = codes.texts
        view.hasRecoveryCodes = true
        view.codesLeft = String(codes.texts.count)
        return try page(visit, view, status: .created)
    }

    private static func keep(_ member: TeamMember, _ action: String, _ visit: Visit) async throws {
        try await visit.store.update(
            member,
            action: action,
            keeping: visit.session.hash,
            at: visit.now,
            by: visit.actor
        )
    }

    @Sendable static func signOut(_ visit: Visit) async throws -> Response {
        try await visit.store.endSession(visit.session.hash)
        var response = Response.seeOther("/dashboard/sign-in")
        response.setCookie(SessionCookie.cookie(SessionCookie.name, "", visit.request, maxAge: 0))
        return response
    }

    @Sendable static func changeTheme(_ visit: Visit) async throws -> Response {
        let theme = visit.form["theme"].flatMap(Theme.init) ?? .auto
        var response = Response.seeOther(SignInPages.safe(visit.form["back"]))
        response.setCookie(SessionCookie.cookie(Theme.cookie, theme.rawValue, visit.request, maxAge: 31_536_000))
        return response
    }
}
