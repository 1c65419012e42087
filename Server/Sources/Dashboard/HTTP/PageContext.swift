import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// One request of a member who is signed in and may make it.
struct PageContext: Sendable {
    let site: Site
    let request: Request
    let appContext: AppContext
    let member: TeamMember
    let session: Session
    /// The fields of the form; empty where none was sent.
    let form: FormData
    /// The notice of a change that was just made, where its address has no room for that.
    var shownChange: ChangeNotice?
    /// The address of the page that answers a form, where it isn't that of the form.
    var shownAddress: String?

    /// Creates what a page or form is answered with; a page has no form.
    init(
        _ site: Site,
        _ request: Request,
        _ context: AppContext,
        _ known: (session: Session, member: TeamMember),
        form: FormData = .empty
    ) {
        self.site = site
        self.request = request
        appContext = context
        self.form = form
        (session, member) = known
    }

    var now: UnixTime { site.now }
    var actor: Actor { .member(member.email) }
    /// The account on whose behalf passwords are hashed.
    var caller: PasswordLanes.Caller { .known(account: member.email) }
    var store: any CardStore { site.store }
    /// The query of the address.
    var query: FormData { FormData(queryOf: request) }
    /// The workspace's time zone.
    var timeZone: String { site.server.settings().timeZone }
    /// The time zone in which the page of the form has shown times: the workspace's may be another one by now.
    var formTimeZone: String {
        guard let zone = form[.zone], TimeZoneClock(named: zone) != nil else { return timeZone }
        return zone
    }

    /// A part of the path by its name.
    func parameter(_ name: String) throws -> String {
        let text = try appContext.parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    /// Returns whether a password is the member's own.
    ///
    /// - Throws: ``TryLater`` where too many were tried in this session.
    func isOwnPassword(_ typed: String?) async throws -> Bool {
        try await GuessCheck(site: site, context: appContext)(.inSession(session), clears: true) {
            try await site.passwords.verify(typed ?? "", against: member.passwordHash, for: caller) ? true : nil
        } ?? false
    }

    /// Uses a code of the second factor, and returns the member without it, or `nil` where the code is wrong.
    ///
    /// - Throws: ``TryLater`` where too many were tried in this session.
    func usingCode(_ typed: String?) async throws -> TeamMember? {
        try await GuessCheck(site: site, context: appContext)(.codeInSession(session), clears: true) {
            guard let typed, typed.utf8.count <= 40, let use = await SecondFactor.use(of: typed, by: member, at: now),
                try await store.spendFormToken(use.mark(of: member), until: now + 86_400, at: now)
            else { return nil }
            var used = member
            use.apply(to: &used)
            try await store.updateMember(used, action: use.action, keeping: session.hash, at: now, by: actor)
            used.noteStored()
            return used
        }
    }

    /// Whether the member may do what needs that role.
    func may(_ role: Role) -> Bool { member.role >= role }

    // MARK: Services

    /// Asks the server for something that changes nothing.
    ///
    /// - Throws: `ServiceError` where the server says no.
    func ask<Value>(_ body: (ServerInside, Caller) async throws -> Value) async throws -> Value {
        try await ServiceError.catching {
            try await body(site.server, Caller(member: member.email, role: member.role))
        }
    }

    /// Changes something by a service of the server.
    ///
    /// - Throws: `ServiceError` where the server says no, and `DashboardError.forbidden` where the member is a
    ///   viewer, whatever the page has let through.
    func change<Value>(_ body: (ServerInside, Caller) async throws -> Value) async throws -> Value {
        guard may(.editor) else { throw DashboardError.forbidden }
        return try await ask(body)
    }

    // MARK: Answers

    /// A page around a view.
    func page(
        _ template: String,
        title: String,
        in section: Section?,
        status: HTTPResponse.Status = .ok,
        _ view: Any
    ) throws -> Response {
        let page = PageView(
            title: title,
            section: section,
            context: self,
            view: view
        )
        return .html(try site.templates.render(template, page), status: status)
    }

    /// A part of a page.
    func part(_ template: String, _ view: Any) throws -> Response {
        let page = PageView(title: "", section: .overview, context: self, view: view)
        return .html(try site.templates.render(template, page))
    }

    /// A form token of this session.
    func formToken() -> String { FormToken(at: now).text(key: session.formKey) }
}

/// The reason why a page is not shown.
enum DashboardError: Error {
    case notFound
    case forbidden
    /// The workspace hides personal data of users from the member's role.
    case personalData
}

extension Response {
    static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .vary: "Accept-Language, Cookie"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Sends the browser elsewhere, by GET.
    static func seeOther(_ address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address])
    }
}
