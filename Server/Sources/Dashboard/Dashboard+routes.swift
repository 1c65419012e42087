import CardServer
import Hummingbird

extension Dashboard {
    /// Every page and form, in one place, with the role that it needs.
    static func routes(_ site: Site) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: ErrorPages(site: site))
        router.get("/") { _, _ in Response.seeOther("/dashboard") }
        router.get("/dashboard/assets/:file", use: AssetPages(files: site.files).file)
        addSignIn(to: router, SignInPages(site: site))
        let pages = PageRoutes(gate: Gate(site: site), router: router)
        addAccount(to: pages)
        addWorkspace(to: pages)
        pages.get("/dashboard", .viewer, OverviewPage.show)
        pages.get("/dashboard/live", .viewer, LivePage.stream)
        pages.get("/dashboard/resume", .viewer, ResumePage.show)
        return router
    }

    private static func addSignIn(to router: Router<AppContext>, _ pages: SignInPages) {
        router.get("/dashboard/setup", use: pages.setup)
        router.post("/dashboard/setup", use: pages.makeFirst)
        router.get("/dashboard/sign-in", use: pages.signIn)
        router.post("/dashboard/sign-in", use: pages.begin)
        router.post("/dashboard/sign-in/code", use: pages.checkCode)
    }

    private static func addAccount(to pages: PageRoutes) {
        pages.get("/dashboard/account", .viewer, AccountPages.show)
        pages.post("/dashboard/account/password", .viewer, AccountPages.changePassword)
        pages.post("/dashboard/account/factor", .viewer, AccountPages.switchFactor)
        pages.post("/dashboard/sign-out", .viewer, AccountPages.signOut)
        pages.post("/dashboard/theme", .viewer, use: .often, AccountPages.changeTheme)
    }

    private static func addWorkspace(to pages: PageRoutes) {
        pages.get("/dashboard/team", .viewer, TeamPages.show)
        pages.post("/dashboard/team", .admin, TeamPages.add)
        pages.post("/dashboard/team/:email/role", .admin, TeamPages.changeRole)
        pages.post("/dashboard/team/:email/remove", .admin, TeamPages.remove)
        pages.get("/dashboard/keys", .viewer, KeyPages.show)
        pages.post("/dashboard/keys", .admin, KeyPages.create)
        pages.post("/dashboard/keys/:id/revoke", .admin, KeyPages.revoke)
        pages.get("/dashboard/audit", .viewer, AuditPage.show)
        pages.get("/dashboard/settings", .viewer, SettingsPages.show)
        pages.post("/dashboard/settings", .admin, SettingsPages.save)
    }
}
