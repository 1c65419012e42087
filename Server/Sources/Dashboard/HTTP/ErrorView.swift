import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

/// A page that says what is wrong and where to go.
struct ErrorView {
    let status: HTTPResponse.Status
    let heading: String
    let text: String

    static let notFound = ErrorView(
        status: .notFound,
        heading: "There is nothing here",
        text: "The address is mistyped, or what was here has been removed."
    )

    static let factorRequired = ErrorView(
        status: .forbidden,
        heading: "Set up two-factor authentication first",
        text: "This workspace requires it. Set it up under Your account; nothing was changed."
    )

    static let personalData = ErrorView(
        status: .forbidden,
        heading: "Personal data is hidden from viewers",
        text: "An administrator can change your role under Team."
    )

    static func tooLarge(_ message: String) -> ErrorView {
        ErrorView(status: .contentTooLarge, heading: "This form is too large", text: message)
    }

    static func forbidden(_ role: Role) -> ErrorView {
        ErrorView(
            status: .forbidden,
            heading: "You may not do that",
            text: "Your role is \(role.rawValue). An administrator can change it under Team."
        )
    }

    static func refused(_ action: String) -> ErrorView {
        switch action {
        case "request.replayed":
            ErrorView(
                status: .conflict,
                heading: "This form was sent already",
                text: "Nothing was done a second time. Go back to the page to see how things are."
            )
        case "request.late":
            ErrorView(
                status: .forbidden,
                heading: "This form is too old",
                text: "It lay open for more than a day. Go back, copy what you typed, and load the page again."
            )
        default:
            ErrorView(
                status: .forbidden,
                heading: "This request was refused",
                text: "It did not come from a page of your session. Sign in, open the page again and repeat it."
            )
        }
    }

    init(_ refusal: ManagementAPI.Refusal) {
        switch refusal.status {
        case 404: self = .notFound
        case 409: self.init(status: .conflict, heading: "That is not possible now", text: refusal.message)
        case 500...:
            self.init(status: .internalServerError, heading: "Something went wrong here", text: refusal.message)
        default: self.init(status: .badRequest, heading: "That cannot be done", text: refusal.message)
        }
    }

    init(_ later: TryLater, status: HTTPResponse.Status) {
        self.init(status: status, heading: "Not now", text: later.message)
    }

    init(_ error: StoreError) {
        switch error.code {
        case .notFound: self = .notFound
        case .exists, .conflict:
            self.init(status: .conflict, heading: "That is not possible now", text: error.message)
        default:
            self.init(
                status: .serviceUnavailable,
                heading: "The server cannot do this at the moment",
                text: "Try again in a while. If it stays so, the operator has to look at the log."
            )
        }
    }

    init(status: HTTPResponse.Status, heading: String, text: String) {
        self.status = status
        self.heading = heading
        self.text = text
    }

    /// The page with the navigation around it.
    func page(for visit: Visit) throws -> Response {
        try visit.page("error", title: heading, in: .overview, status: status, self)
    }

    /// The page for somebody who is not signed in.
    func page(_ site: Site, _ request: Request) throws -> Response {
        let view = PlainPageView(title: heading, site: site, request: request, csrf: "", view: self)
        return .html(try site.templates.render("error-plain", view), status: status)
    }
}

/// What pages without a session show around their view.
struct PlainPageView {
    let title: String
    let assets: PageView.Assets
    let theme: String
    let csrf: String
    let view: Any

    init(title: String, site: Site, request: Request, csrf: String, view: Any) {
        self.title = title
        self.csrf = csrf
        self.view = view
        assets = PageView.Assets(site.files)
        theme = Theme(request).rawValue
    }
}
