import CardModel
import CardServer
import CardStore
import Hummingbird

/// A request to sign in: where it comes from, and where its sender wants to go.
struct Entry: Sendable {
    let site: Site
    let request: Request
    let context: AppContext
    let next: String
    let resume: String?

    var network: ClientNetwork { ClientNetwork(context.client) }

    /// The browser, where the member was signed in there before.
    func device(of member: TeamMember) -> KnownDevice? {
        KnownDevice.find(BrowserCookie.device.value(request, context), of: member, at: site.now)
    }

    /// Begins a session, and goes on to where they wanted.
    func enter(_ member: TeamMember) async throws -> Response {
        try await SessionCookie.begin(member, request, context, site) { session in
            guard let resume else { return .seeOther(next) }
            let address = ResumePage.address(to: next, form: resume, key: session.formKey)
            if address.utf8.count < 2_000 { return .seeOther(address) }
            // What is too long for an address is shown at once.
            let pageContext = PageContext(site, request, context, (session, member))
            return try ResumePage.page(pageContext, to: next, FormData(urlEncoded: resume))
        }
    }
}
