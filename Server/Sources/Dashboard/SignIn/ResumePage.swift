import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    static let resume = PageDescriptor(templates: ["resume": PackageResources.resume_mustache]) { routes in
        routes.get("/dashboard/resume", .viewer, ResumePage.show)
    }
}

/// Submits a form that was filled in before the session ended, or that came too late or twice.
///
/// The address is signed with the session's key, so nobody else can make one that sends something.
enum ResumePage {
    struct ResumeView {
        let to: String
        let fields: [CarriedField]
        /// The form in the words of its own page.
        let groups: [ResumedForm.ResumedGroup]
        /// The address at which an editor's form is shown again without being saved.
        let edit: String?
        let name: String
        /// The reason why a form was refused whose session goes on.
        let refusal: String?
        /// The reason why the form can't be saved, and a way out, where the heading says neither.
        let reason: String?
    }

    /// Returns the part of a form that can be carried on: its token is of no use, and a secret goes into no page and no
    /// address.
    static func kept(_ form: FormData) -> FormData {
        var kept = form
        kept.removeAll { isSecret($0.name) }
        return kept
    }

    /// Whether a field of the dashboard's forms is never carried on.
    static func isSecret(_ field: String) -> Bool {
        ["csrf", "current", "password", "code", "secret", Confirmation.field, Confirmation.codeField].contains(field)
    }

    static func address(to place: String, form: String, key: [UInt8]) -> String {
        let signature = SecretBytes.text(SecretBytes.code(of: Array("\(place)\n\(form)".utf8), key: key))
        return "/dashboard/resume?to=\(FormData.escape(place))&form=\(FormData.escape(form))&signature=\(signature)"
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let query = context.query
        guard let place = query[.to], let form = query[.form], let signature = query[.signature],
            let code = SecretBytes.bytes(signature),
            ConstantTime.areEqual(
                code,
                SecretBytes.code(of: Array("\(place)\n\(form)".utf8), key: context.session.formKey)
            )
        else { throw DashboardError.notFound }
        return try page(context, to: place, FormData(urlEncoded: form))
    }

    /// Shows what was about to be sent, and why it was refused where its session goes on.
    static func page(
        _ context: PageContext,
        to place: String,
        _ form: FormData,
        refusal: ErrorView? = nil,
        reason: String? = nil
    ) throws -> Response {
        let view = ResumeView(
            to: place,
            fields: CarriedField.all(form.fields),
            groups: ResumedForm(form).groups,
            edit: form[.base].flatMap { _ in editor(of: place) },
            name: form.value(.campaignName),
            refusal: refusal?.heading,
            reason: reason
        )
        let title = refusal?.heading ?? localized("Welcome back")
        let page = try context.page("resume", title: title, in: nil, status: refusal?.status ?? .ok, view)
        return page.retryable(after: refusal?.retryAfter)
    }

    /// The address at which the editor shows a form again, or `nil` where there is none: other forms are only sent.
    private static func editor(of place: String) -> String? {
        ["campaigns", "segments"].first { place.hasPrefix("/dashboard/\($0)/") }.map { "/dashboard/\($0)/reshape" }
    }
}
