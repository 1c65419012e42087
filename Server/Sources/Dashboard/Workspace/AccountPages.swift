import CardModel
import CardStore
import HTTPTypes
import Hummingbird

/// What members change of themselves.
enum AccountPages {
    struct View {
        let email: String
        let role: String
        let languages: [SettingsPages.Choice]
        var hasFactor: Bool
        /// Whether the workspace requires a second factor, and whether the member has yet to set it up.
        let isFactorRequired: Bool
        let mustSetUpFactor: Bool
        /// Whether the member has signed in with a temporary password.
        let mustChoosePassword: Bool
        var secret: String?
        var secretValue: String?
        var address: String?
        var code: String?
        var recoveryCodes: [String] = []
        var hasRecoveryCodes = false
        var codesLeft: String
        var sessions: [SessionView] = []
        var hasSessions = false
        var hasOtherSessions = false
        var passwordError: String?
        var factorError: String?
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        var view = view(visit)
        view.sessions = try await sessions(visit)
        view.hasSessions = true
        view.hasOtherSessions = view.sessions.contains { !$0.isThis }
        return try page(visit, view)
    }

    private static func view(_ visit: Visit, secret: [UInt8]? = nil) -> View {
        var view = View(
            email: visit.member.email,
            role: visit.member.role.displayName,
            languages: languages(visit),
            hasFactor: visit.member.codeSecret != nil,
            isFactorRequired: visit.site.server.settings().requiresTwoFactor,
            mustSetUpFactor: visit.site.requiresFactor(of: visit.member),
            mustChoosePassword: visit.member.passwordExpiresAt != nil,
            codesLeft: Wording.counted(Int64(visit.member.recoveryCodes.count), .recoveryCode)
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

    /// The languages to choose from, the browser's own first.
    private static func languages(_ visit: Visit) -> [SettingsPages.Choice] {
        let chosen = visit.member.language ?? visit.request.cookies[TextCatalog.cookie]?.value
        let all = visit.site.catalogs.map {
            SettingsPages.Choice(value: $0.tag, name: $0.name, isChosen: $0.tag == chosen)
        }
        let isNone = all.allSatisfy { !$0.isChosen }
        return [SettingsPages.Choice(value: "", name: localized("Same as browser"), isChosen: isNone)] + all
    }

    private static func page(_ visit: Visit, _ view: View, status: HTTPResponse.Status = .ok) throws -> Response {
        try visit.page("account", title: localized("Your account"), in: .account, status: status, view)
    }

    @Sendable static func changePassword(_ visit: Visit) async throws -> Response {
        var member = visit.member
        var view = view(visit)
        do {
            guard try await visit.isOwnPassword(visit.form[.current]) else {
                view.passwordError = localized("The current password is wrong.")
                return try page(visit, view, status: .badRequest)
            }
            try NewMember.check(visit.form.value(.password), of: [member.email, member.name])
            if member.passwordExpiresAt != nil, visit.form[.password] == visit.form[.current] {
                throw NewMember.Problem(message: localized("This is the temporary password. Choose another."))
            }
        } catch let problem as NewMember.Problem {
            view.passwordError = problem.message
            return try page(visit, view, status: .badRequest)
        } catch let later as TryLater {
            view.passwordError = later.message
            return try later.response { try page(visit, view, status: $0) }
        }
        member.passwordHash = try await visit.site.passwords.hash(visit.form.value(.password), for: visit.caller)
        member.passwordExpiresAt = nil
        try await keep(member, "member.password", visit)
        var response = Response.seeOther("/dashboard/account?done=password")
        response.setCookie(KnownDevice.cookie(of: member, visit.request, visit.context, at: visit.now))
        return response
    }

    @Sendable static func switchFactor(_ visit: Visit) async throws -> Response {
        var member = visit.member
        if member.codeSecret != nil, visit.site.server.settings().requiresTwoFactor {
            var view = view(visit)
            view.factorError = localized("This workspace requires two-factor authentication.")
            return try page(visit, view, status: .badRequest)
        }
        if let refusal = try await passwordRefusal(visit) { return refusal }
        if member.codeSecret != nil {
            let (used, refusal) = try await useCode(visit)
            if let refusal { return refusal }
            member = used
            member.codeSecret = nil
            member.recoveryCodes = []
            try await keep(member, "member.factor-off", visit)
            return .seeOther("/dashboard/account?done=factor-off")
        }
        guard let secret = typedSecret(visit),
            let step = TimeBasedCode(secret: secret).step(of: visit.form.value(.code), at: visit.now, after: 0)
        else {
            var view = view(visit, secret: typedSecret(visit))
            view.factorError = localized("The code is wrong. Check the clock of your phone.")
            return try page(visit, view, status: .badRequest)
        }
        member.codeSecret = secret
        member.lastCodeStep = step
        return try await giveRecoveryCodes(to: member, "member.factor-on", visit)
    }

    /// The secret of the page that the form comes from.
    private static func typedSecret(_ visit: Visit) -> [UInt8]? {
        visit.form[.secret].flatMap(SecretBytes.bytes).flatMap { $0.count == 20 ? $0 : nil }
    }

    /// The page where the password is not the member's, or too many were tried.
    private static func passwordRefusal(_ visit: Visit) async throws -> Response? {
        var view = view(visit, secret: typedSecret(visit))
        do {
            if try await visit.isOwnPassword(visit.form[.current]) { return nil }
            view.factorError = localized("The password is wrong.")
            return try page(visit, view, status: .badRequest)
        } catch let later as TryLater {
            view.factorError = later.message
            return try later.response { try page(visit, view, status: $0) }
        }
    }

    /// The member after a code was used, or the page where it is wrong: whoever has the password alone can neither
    /// switch the second factor off nor get at what stands in for it.
    private static func useCode(_ visit: Visit) async throws -> (member: TeamMember, refusal: Response?) {
        var view = view(visit)
        do {
            if let used = try await visit.usingCode(visit.form[.code]) { return (used, nil) }
            view.factorError = localized("The code is wrong or was used already.")
            return (visit.member, try page(visit, view, status: .badRequest))
        } catch let later as TryLater {
            view.factorError = later.message
            return (visit.member, try later.response { try page(visit, view, status: $0) })
        }
    }

    /// Makes new recovery codes in place of those that are left.
    @Sendable static func renewRecoveryCodes(_ visit: Visit) async throws -> Response {
        guard visit.member.codeSecret != nil else { throw DashboardError.notFound }
        if let refusal = try await passwordRefusal(visit) { return refusal }
        let (used, refusal) = try await useCode(visit)
        if let refusal { return refusal }
        return try await giveRecoveryCodes(to: used, "member.recovery-renewed", visit)
    }

    /// Shows the codes in the answer itself: they are kept nowhere, so no other page could.
    private static func giveRecoveryCodes(
        to member: TeamMember,
        _ action: String,
        _ visit: Visit
    ) async throws -> Response {
        let codes = RecoveryCodes()
        var member = member
        member.recoveryCodes = try await codes.hashes(visit.site.passwords.cost)
        try await keep(member, action, visit)
        var view = view(visit)
        view.hasFactor = true
        view.recoveryCodes = codes.texts
        view.hasRecoveryCodes = true
        view.codesLeft = Wording.counted(Int64(codes.texts.count), .recoveryCode)
        return try page(visit, view, status: .created)
    }

    private static func keep(_ member: TeamMember, _ action: String, _ visit: Visit) async throws {
        try await visit.store.updateMember(
            member,
            action: action,
            keeping: visit.session.hash,
            at: visit.now,
            by: visit.actor
        )
        await visit.site.mailChange(action, of: member)
    }

    @Sendable static func signOut(_ visit: Visit) async throws -> Response {
        try await visit.store.endSession(visit.session.hash)
        var response = Response.seeOther("/dashboard/sign-in")
        response.setCookie(BrowserCookie.session.cookie("", visit.context, maxAge: 0))
        return response
    }

    @Sendable static func changeTheme(_ visit: Visit) async throws -> Response {
        let theme = visit.form[.theme].flatMap(Theme.init) ?? .auto
        var response = Response.seeOther(SignInPages.safe(visit.form[.back]))
        response.setCookie(choice(theme.rawValue, of: Theme.cookie, visit))
        return response
    }

    /// Saves the language of pages and messages; an empty choice leaves it to the browser's own.
    @Sendable static func changeLanguage(_ visit: Visit) async throws -> Response {
        let tag = visit.form[FormField.language]
        let catalog = visit.site.catalogs.first { $0.tag == tag }
        try await visit.store.setLanguage(catalog?.tag, of: visit.member.email)
        var response = Response.seeOther("/dashboard/account?done=language")
        // For the pages before signing in, which know no account.
        response.setCookie(choice(catalog?.tag ?? "auto", of: TextCatalog.cookie, visit))
        return response
    }

    /// A cookie that keeps what a member has chosen for a year.
    private static func choice(_ value: String, of name: String, _ visit: Visit) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: 31_536_000,
            path: "/dashboard",
            secure: visit.context.client.isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }
}
