import CardModel
import CardStore
import HTTPTypes
import Hummingbird

extension Section {
    static let account = Section("account") { localized("Your account") }
}

extension PageDescriptor {
    static let account = PageDescriptor(.account, templates: ["account": PackageResources.account_mustache]) { routes in
        routes.get("/dashboard/account", .viewer, AccountPages.show)
        routes.post("/dashboard/account/password", .viewer, AccountPages.changePassword)
        routes.post("/dashboard/account/factor", .viewer, AccountPages.switchFactor)
        routes.post("/dashboard/account/recovery", .viewer, AccountPages.renewRecoveryCodes)
        routes.post("/dashboard/account/sessions", .viewer, AccountPages.signOutElsewhere)
        routes.post("/dashboard/account/sessions/:id/end", .viewer, AccountPages.endSession)
        routes.post("/dashboard/sign-out", .viewer, AccountPages.signOut)
        routes.post("/dashboard/theme", .viewer, use: .often, AccountPages.changeTheme)
        routes.post("/dashboard/language", .viewer, use: .often, AccountPages.changeLanguage)
        routes.openWithoutSetup()
    }
}

/// The pages on which members change their own account.
enum AccountPages {
    struct AccountView {
        let email: String
        let role: String
        let languages: [SettingsPages.SettingOption]
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
        /// The problem of the password's form, or of one of its fields, by its name.
        var passwordError: String?
        var passwordWrong: [String: FieldMark] = [:]
        /// The problem of the second factor's form, or of one of its fields, by its name.
        var factorError: String?
        var factorWrong: [String: FieldMark] = [:]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        var view = view(context)
        view.sessions = try await sessions(context)
        view.hasSessions = true
        view.hasOtherSessions = view.sessions.contains { !$0.isThis }
        return try page(context, view)
    }

    private static func view(_ context: PageContext, secret: [UInt8]? = nil) -> AccountView {
        var view = AccountView(
            email: context.member.email,
            role: context.member.role.displayName,
            languages: languages(context),
            hasFactor: context.member.codeSecret != nil,
            isFactorRequired: context.site.server.settings().requiresTwoFactor,
            mustSetUpFactor: context.site.requiresFactor(of: context.member),
            mustChoosePassword: context.member.passwordExpiresAt != nil,
            codesLeft: PageFormatter.counted(Int64(context.member.recoveryCodes.count), .recoveryCode)
        )
        if !view.hasFactor {
            let code = TimeBasedCode(secret: secret ?? SecretBytes.random(20))
            view.secret = code.secretText
            view.secretValue = SecretBytes.text(code.secret)
            view.address = code.address(for: context.member.email)
            view.code = QRCode(code.address(for: context.member.email))?.svg
        }
        return view
    }

    /// The languages to choose from, the browser's own first.
    private static func languages(_ context: PageContext) -> [SettingsPages.SettingOption] {
        let chosen = context.member.language ?? context.request.cookies[TextCatalog.cookie]?.value
        let all = context.site.catalogs.map {
            SettingsPages.SettingOption(value: $0.tag, name: $0.name, isChosen: $0.tag == chosen)
        }
        let isNone = all.allSatisfy { !$0.isChosen }
        return [SettingsPages.SettingOption(value: "", name: localized("Same as browser"), isChosen: isNone)] + all
    }

    private static func page(
        _ context: PageContext,
        _ view: AccountView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try context.page("account", title: localized("Your account"), in: .account, status: status, view)
    }

    @Sendable static func changePassword(_ context: PageContext) async throws -> Response {
        var member = context.member
        var view = view(context)
        do {
            guard try await context.isOwnPassword(context.form[.current]) else {
                view.passwordWrong = FieldMark.marks(.current, localized("The current password is wrong."))
                return try page(context, view, status: .badRequest)
            }
            try NewMember.check(context.form.value(.password), of: [member.email, member.name])
            if member.passwordExpiresAt != nil, context.form[.password] == context.form[.current] {
                let problem = localized("This is the temporary password. Choose another.")
                throw NewMember.NewMemberError(field: .password, message: problem)
            }
        } catch let problem as NewMember.NewMemberError {
            view.passwordWrong = problem.marks
            return try page(context, view, status: .badRequest)
        } catch let later as TryLater {
            view.passwordError = later.message
            return try later.response { try page(context, view, status: $0) }
        }
        member.passwordHash = try await context.site.passwords.hash(context.form.value(.password), for: context.caller)
        member.passwordExpiresAt = nil
        try await keep(member, "member.password", context)
        var response = Response.seeOther("/dashboard/account?done=password")
        response.setCookie(KnownDevice.cookie(of: member, context.request, context.appContext, at: context.now))
        return response
    }

    @Sendable static func switchFactor(_ context: PageContext) async throws -> Response {
        var member = context.member
        if member.codeSecret != nil, context.site.server.settings().requiresTwoFactor {
            var view = view(context)
            view.factorError = localized("This workspace requires two-factor authentication.")
            return try page(context, view, status: .badRequest)
        }
        if let refusal = try await passwordRefusal(context) { return refusal }
        if member.codeSecret != nil {
            let (used, refusal) = try await useCode(context)
            if let refusal { return refusal }
            member = used
            member.codeSecret = nil
            member.recoveryCodes = []
            try await keep(member, "member.factor-off", context)
            return .seeOther("/dashboard/account?done=factor-off")
        }
        guard let secret = typedSecret(context),
            let step = TimeBasedCode(secret: secret).step(of: context.form.value(.code), at: context.now, after: 0)
        else {
            var view = view(context, secret: typedSecret(context))
            view.factorWrong = FieldMark.marks(.code, localized("The code is wrong. Check the clock of your phone."))
            return try page(context, view, status: .badRequest)
        }
        member.codeSecret = secret
        member.lastCodeStep = step
        return try await giveRecoveryCodes(to: member, "member.factor-on", context)
    }

    /// The secret of the page that the form comes from.
    private static func typedSecret(_ context: PageContext) -> [UInt8]? {
        context.form[.secret].flatMap(SecretBytes.bytes).flatMap { $0.count == 20 ? $0 : nil }
    }

    /// The page where the password is not the member's, or too many were tried.
    private static func passwordRefusal(_ context: PageContext) async throws -> Response? {
        var view = view(context, secret: typedSecret(context))
        do {
            if try await context.isOwnPassword(context.form[.current]) { return nil }
            view.factorWrong = FieldMark.marks(.current, localized("The password is wrong."))
            return try page(context, view, status: .badRequest)
        } catch let later as TryLater {
            view.factorError = later.message
            return try later.response { try page(context, view, status: $0) }
        }
    }

    /// The member after a code was used, or the page where it is wrong: whoever has the password alone can neither
    /// switch the second factor off nor get at what stands in for it.
    private static func useCode(_ context: PageContext) async throws -> (member: TeamMember, refusal: Response?) {
        var view = view(context)
        do {
            if let used = try await context.usingCode(context.form[.code]) { return (used, nil) }
            view.factorWrong = FieldMark.marks(.code, localized("The code is wrong or was used already."))
            return (context.member, try page(context, view, status: .badRequest))
        } catch let later as TryLater {
            view.factorError = later.message
            return (context.member, try later.response { try page(context, view, status: $0) })
        }
    }

    /// Makes new recovery codes in place of those that are left.
    @Sendable static func renewRecoveryCodes(_ context: PageContext) async throws -> Response {
        guard context.member.codeSecret != nil else { throw DashboardError.notFound }
        if let refusal = try await passwordRefusal(context) { return refusal }
        let (used, refusal) = try await useCode(context)
        if let refusal { return refusal }
        return try await giveRecoveryCodes(to: used, "member.recovery-renewed", context)
    }

    /// Shows the codes in the answer itself: they are kept nowhere, so no other page could.
    private static func giveRecoveryCodes(
        to member: TeamMember,
        _ action: String,
        _ context: PageContext
    ) async throws -> Response {
        let codes = RecoveryCodes()
        var member = member
        member.recoveryCodes = try await codes.hashes(context.site.passwords.cost)
        try await keep(member, action, context)
        var view = view(context)
        view.hasFactor = true
        view.recoveryCodes = codes.texts
        view.hasRecoveryCodes = true
        view.codesLeft = PageFormatter.counted(Int64(codes.texts.count), .recoveryCode)
        return try page(context, view, status: .created)
    }

    private static func keep(_ member: TeamMember, _ action: String, _ context: PageContext) async throws {
        try await context.store.updateMember(
            member,
            action: action,
            keeping: context.session.hash,
            at: context.now,
            by: context.actor
        )
        await context.site.mailChange(action, of: member)
    }

    @Sendable static func signOut(_ context: PageContext) async throws -> Response {
        try await context.store.endSession(context.session.hash)
        var response = Response.seeOther("/dashboard/sign-in")
        response.setCookie(BrowserCookie.session.cookie("", context.appContext, maxAge: 0))
        // Pages that the browser keeps for going back. Not "cookies": these would be all of the domain's.
        response.headers[.clearSiteData] = #""cache", "storage""#
        return response
    }

    @Sendable static func changeTheme(_ context: PageContext) async throws -> Response {
        let theme = context.form[.theme].flatMap(Theme.init) ?? .auto
        var response = Response.seeOther(SignInPages.safe(context.form[.back]))
        response.setCookie(choice(theme.rawValue, of: Theme.cookie, context))
        return response
    }

    /// Saves the language of pages and messages; an empty choice leaves it to the browser's own.
    @Sendable static func changeLanguage(_ context: PageContext) async throws -> Response {
        let tag = context.form[FormField.language]
        let catalog = context.site.catalogs.first { $0.tag == tag }
        try await context.store.setLanguage(catalog?.tag, of: context.member.email)
        var response = Response.seeOther("/dashboard/account?done=language")
        // For the pages before signing in, which know no account.
        response.setCookie(choice(catalog?.tag ?? "auto", of: TextCatalog.cookie, context))
        return response
    }

    /// A cookie that keeps what a member has chosen for a year.
    private static func choice(_ value: String, of name: String, _ context: PageContext) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: 31_536_000,
            path: "/dashboard",
            secure: context.appContext.client.isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }
}
