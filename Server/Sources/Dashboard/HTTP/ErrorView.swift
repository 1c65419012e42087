import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    /// The frames of pages, the pages of errors, and the fields that forms are made of.
    static let frame = PageDescriptor(
        templates: [
            "error": PackageResources.error_mustache,
            "error-plain": PackageResources.error_plain_mustache,
            "field": PackageResources.field_mustache,
            "field-problem": PackageResources.field_problem_mustache,
            "layout": PackageResources.layout_mustache,
            "plain": PackageResources.plain_mustache,
        ]
    )
}

/// An error that keeps a page from being shown, and says so by a page of its own.
protocol PageError: Error {
    var view: ErrorView { get }
}

/// A page that says what is wrong and where to go.
struct ErrorView {
    let status: HTTPResponse.Status
    let heading: String
    let text: String
    /// The seconds after which it is worth trying again; never `nil` for the statuses 429 and 503.
    let retryAfter: Int?

    static var notFound: ErrorView {
        ErrorView(
            status: .notFound,
            heading: localized("Page not found"),
            text: localized("Check the address. The page may have been removed.")
        )
    }

    private static var factorRequired: ErrorView {
        ErrorView(
            status: .forbidden,
            heading: localized("Set up two-factor authentication first"),
            text: localized("This workspace requires it. Set it up under Your account. Nothing was changed.")
        )
    }

    private static var passwordRequired: ErrorView {
        ErrorView(
            status: .forbidden,
            heading: localized("Choose a password first"),
            text: localized(
                "You signed in with a temporary password. Choose your own under Your account; nothing was changed."
            )
        )
    }

    /// Says what a member has to do before anything else.
    static func setupRequired(of member: TeamMember) -> ErrorView {
        member.passwordExpiresAt == nil ? factorRequired : passwordRequired
    }

    static var personalData: ErrorView {
        ErrorView(
            status: .forbidden,
            heading: localized("Personal data is hidden from viewers"),
            text: localized("An administrator can change your role under Team.")
        )
    }

    static func tooLarge(_ message: String) -> ErrorView {
        ErrorView(status: .contentTooLarge, heading: localized("This form is too large"), text: message)
    }

    static func forbidden(_ role: Role) -> ErrorView {
        ErrorView(
            status: .forbidden,
            heading: localized("You don’t have permission"),
            text: localized("Your role is \(role.displayName). An administrator can change it under Team.")
        )
    }

    static func refused(_ action: String) -> ErrorView {
        switch action {
        case "request.replayed":
            ErrorView(
                status: .conflict,
                heading: localized("Already submitted"),
                text: localized("This form was already submitted. Go back and reload the page.")
            )
        case "request.late":
            ErrorView(
                status: .forbidden,
                heading: localized("This form has expired"),
                text: localized("It was open for more than a day. Go back, copy your changes, and reload the page.")
            )
        default:
            ErrorView(
                status: .forbidden,
                heading: localized("Request rejected"),
                text: localized("It didn’t come from your session. Sign in, reload the page and try again.")
            )
        }
    }

    init(_ refusal: ServiceError) {
        switch refusal.status {
        case 404: self = .notFound
        case 409:
            self.init(
                status: .conflict,
                heading: localized("Couldn’t complete this action"),
                text: localized(sentence: refusal.message)
            )
        case 403:
            self.init(
                status: .forbidden,
                heading: localized("You don’t have permission"),
                text: localized(sentence: refusal.message)
            )
        case 429:
            self.init(
                status: .tooManyRequests,
                heading: localized("Try again later"),
                text: localized(sentence: refusal.message),
                retryAfter: refusal.retryAfter
            )
        case 503:
            self.init(
                status: .serviceUnavailable,
                heading: localized("Service temporarily unavailable"),
                text: localized(sentence: refusal.message),
                retryAfter: refusal.retryAfter
            )
        case 500...:
            self.init(
                status: .internalServerError,
                heading: localized("Something went wrong"),
                text: localized(sentence: refusal.message)
            )
        default:
            self.init(
                status: .badRequest,
                heading: localized("Couldn’t complete this action"),
                text: localized(sentence: refusal.message)
            )
        }
    }

    init(_ later: TryLater, status: HTTPResponse.Status) {
        self.init(status: status, heading: localized("Try again later"), text: later.message)
    }

    init(_ error: StoreError) {
        switch error.code {
        case .notFound: self = .notFound
        case .exists, .conflict:
            self.init(
                status: .conflict,
                heading: localized("Couldn’t complete this action"),
                text: localized(sentence: error.message)
            )
        default:
            self.init(
                status: .serviceUnavailable,
                heading: localized("Service temporarily unavailable"),
                text: localized("Try again in a few minutes. If the problem persists, check the server log.")
            )
        }
    }

    init(status: HTTPResponse.Status, heading: String, text: String, retryAfter: Int? = nil) {
        self.status = status
        self.heading = heading
        self.text = text
        self.retryAfter = retryAfter ?? RetryDelay.standard(for: status.code)
    }

    /// The page with the navigation around it.
    func page(for context: PageContext) throws -> Response {
        let page = try context.page("error", title: heading, in: nil, status: status, self)
        return page.retryable(after: retryAfter)
    }

    /// The page for a browser that is not signed in.
    func page(_ site: Site, _ request: Request) throws -> Response {
        let view = PlainPageView(title: heading, site: site, request: request, csrf: "", view: self)
        return .html(try site.templates.render("error-plain", view), status: status).retryable(after: retryAfter)
    }
}

/// The frame that pages without a session have around their view.
struct PlainPageView {
    let title: String
    let assets: PageView.Assets
    let theme: String
    let language: String
    let scriptTexts: String?
    let csrf: String
    let view: Any

    init(title: String, site: Site, request: Request, csrf: String, view: Any) {
        self.title = title
        self.csrf = csrf
        self.view = view
        assets = PageView.Assets(site.files)
        theme = Theme(request).rawValue
        language = TextCatalog.current.tag
        scriptTexts = TextCatalog.current.scriptTexts
    }
}
