import CardServer
import Hummingbird

extension PageDescriptor {
    /// Every page, those of the navigation in its order.
    static let all: [PageDescriptor] = [
        .overview,
        .campaigns, .editor, .report, .versions, .launch, .approval, .testSend, .campaignActions,
        .calendar,
        .media,
        .contentBlocks, .contentBlockEditor,
        .segments, .audienceBuilder,
        .contentTypes,
        .users, .imports,
        .events,
        .team,
        .keys, .key,
        .audit,
        .settings,
        .account,
        .savedFilters, .undo, .search, .live,
        .setup, .signIn, .signInCode, .provider, .forgot, .passwordLink, .resume,
        .frame, .confirmation, .assets,
    ]
}

extension Dashboard {
    /// Every page and form, with the role that it needs.
    static let pages = PageDescriptor.all.reduce(into: PageRoutes()) { $0.add($1.routes) }

    /// Returns a router of every page and form.
    static func routes(_ site: Site) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: ErrorPages(site: site))
        pages.add(to: router, of: site)
        return router
    }
}
