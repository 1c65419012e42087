import CardModel
import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    static let setup = PageDescriptor(templates: ["setup": PackageResources.setup_mustache]) { routes in
        routes.open(.get, "/dashboard/setup") { SetupPages(site: $0).show }
        routes.open(.post, "/dashboard/setup") { SetupPages(site: $0).create }
    }
}

/// The first account.
struct SetupPages: Sendable {
    struct SetupView {
        var code = ""
        var email = ""
        var name = ""
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
    }

    let site: Site

    private func open(_ context: AppContext) -> OpenPage { OpenPage(site: site, context: context) }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard try await site.store.members().isEmpty else { return .seeOther("/dashboard/sign-in") }
        let code = FormData(queryOf: request).value(.code)
        return try open(context).show("setup", localized("Welcome"), request, SetupView(code: code))
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let form: FormData
        switch try await open(context).take(request) {
        case .refused(let response): return response
        case .form(let taken): form = taken
        }
        guard try await site.store.members().isEmpty else { return .seeOther("/dashboard/sign-in") }
        var view = SetupView(code: form.value(.code), email: form.value(.email), name: form.value(.name))
        do {
            let network = ClientNetwork(context.client)
            let isRight = try await GuessCheck(site: site, context: context)(.setup(from: network), clears: false) {
                ConstantTime.areEqual(view.code.trimmingSpaces, site.setupCode) ? true : nil
            }
            guard isRight != nil else {
                let problem = localized("The setup code is wrong. The server prints it when it starts.")
                view.wrong = FieldMark.marks(.code, problem)
                return try open(context).show("setup", localized("Welcome"), request, view, status: .badRequest)
            }
            let caller = PasswordLanes.Caller.stranger(address: network.text, account: "")
            let member = try await NewMember(form, role: .admin, isInvited: false).member(site, caller)
            guard try await site.store.insertFirstMember(member) else { return .seeOther("/dashboard/sign-in") }
            return try await SessionCookie.begin(member, request, context, site) { _ in .seeOther("/dashboard") }
        } catch let problem as NewMember.NewMemberError {
            view.wrong = problem.marks
            return try open(context).show("setup", localized("Welcome"), request, view, status: .badRequest)
        } catch let later as TryLater {
            return try show(later, view, request, context)
        } catch is PasswordQueue.Busy {
            return try show(.busy, view, request, context)
        }
    }

    private func show(
        _ later: TryLater,
        _ view: SetupView,
        _ request: Request,
        _ context: AppContext
    ) throws -> Response {
        var view = view
        view.error = later.message
        return try later.response { try open(context).show("setup", localized("Welcome"), request, view, status: $0) }
    }
}
