import CardModel
import CardServer
import CardStore
import Hummingbird

/// The pages under `/dashboard`, over the services and the store of the server that they belong to.
package struct Dashboard: ServerSurface {
    private let site: Site
    private let responder: RouterResponder<AppContext>
    /// Every page and form, such as `POST /dashboard/keys`.
    let routes: [String]

    /// Creates the dashboard of a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - setupCode: Lets whoever has it make the first account; worth nothing once there is one.
    package init(_ server: ServerInside, setupCode: String) {
        self.init(server, setupCode: setupCode, catalogs: TextCatalog.all)
    }

    /// Creates the dashboard of a server in some languages.
    init(
        _ server: ServerInside,
        setupCode: String,
        catalogs: [TextCatalog],
        passwordCost: PasswordCost = .standard
    ) {
        let templates = Templates.standard
        do {
            _ = try templates.library(.english)
            let site = Site(
                server: server,
                files: templates.files,
                templates: templates,
                catalogs: catalogs,
                setupCode: setupCode,
                passwordCost: passwordCost
            )
            self.site = site
            let router = Self.routes(site)
            routes = router.routes.map { "\($0.method.rawValue) \($0.path.description)" }
            responder = router.buildResponder()
        } catch {
            // The templates are part of the program, and tests fill each of them.
            // safe: pages of ours, each of which a test reads
            preconditionFailure("A page of the dashboard cannot be read: \(error)")
        }
    }

    /// The page to open after the server was started for the first time.
    ///
    /// - Returns: The path that makes the first account, or that of the dashboard where there is one.
    package static func start(in store: any CardStore, setupCode: String) async throws -> String {
        try await store.members().isEmpty ? "/dashboard/setup?code=\(setupCode)" : "/dashboard"
    }

    /// Hashes recovery codes of older versions again, so that nobody finds the codes by trying all of them.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - now: The time.
    /// - Returns: How many members had such codes.
    /// - Throws: What keeps the store from writing.
    package static func strengthenRecoveryCodes(in store: any CardStore, at now: UnixTime) async throws -> Int {
        var count = 0
        for var member in try await store.members() {
            guard let codes = try await RecoveryCodeDigest.strengthened(member.recoveryCodes) else { continue }
            member.recoveryCodes = codes
            try await store.updateMember(
                member,
                action: "member.recovery-rehashed",
                keeping: nil,
                at: now,
                by: .command
            )
            count += 1
        }
        return count
    }

    package func answers(_ path: String) -> Bool {
        path == "/" || path == "/dashboard" || path.hasPrefix("/dashboard/")
    }

    package func text(of mail: Mail) -> MailText? {
        let catalog = site.catalogs.first { $0.tag == mail.language } ?? site.catalogs.first ?? .english
        return TextCatalog.$current.withValue(catalog) {
            MailWriter(timeZone: site.server.settings().timeZone).text(mail.content)
        }
    }

    package func respond(to request: Request, _ context: AppContext) async -> Response {
        let catalog = TextCatalog.chosen(by: request, of: site.catalogs)
        var response =
            (try? await TextCatalog.$current.withValue(catalog) {
                try await responder.respond(to: request, context: context)
            }) ?? Response(status: .internalServerError)
        SecurityHeaders.apply(to: &response, isSecure: context.client.isSecure)
        return response
    }
}
