import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

/// Sends a card of a campaign to a few users to try, before its launch or after it.
enum TestSendPage {
    struct Choice {
        let value: String
        let name: String
        let isChosen: Bool
    }

    struct Failure {
        let user: String
        let message: String
    }

    struct Outcome {
        let sent: String?
        let failed: [Failure]

        init(_ outcomes: [TestSendService.Outcome], sent: (Int64) -> String) {
            failed = outcomes.compactMap { user, card in
                if case .failure(let failure) = card {
                    Failure(user: user.rawValue, message: localized(sentence: failure.message))
                } else {
                    nil
                }
            }
            let count = Int64(outcomes.count - failed.count)
            self.sent = count > 0 ? sent(count) : nil
        }
    }

    struct Device {
        let user: String
        let name: String
        let isChosen: Bool
    }

    struct View {
        let name: String
        let address: String
        let variants: [Choice]
        let languages: [Choice]
        let hasLanguages: Bool
        let code: String
        let deviceName: String
        let devices: [Device]
        let hasDevices: Bool
        let users: String
        let savesUsers: Bool
        let limit: String
        var result: Outcome?
        /// What is wrong with the whole form.
        var error: String?
        /// What is wrong with a field, by its name.
        var wrong: [String: FieldMark] = [:]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try page(context, try await view(context))
    }

    @Sendable static func send(_ context: PageContext) async throws -> Response {
        if let user = context.form.text(.remove) { return try await remove(UserID(rawValue: user), context) }
        return context.form[.to] == "code" ? try await sendByCode(context) : try await sendToUsers(context)
    }

    // MARK: Sending

    private static func sendByCode(_ context: PageContext) async throws -> Response {
        guard let code = context.form.text(.code) else {
            return try await refuse(context, FieldMark.marks(.code, localized("Enter the code that the app shows.")))
        }
        let name = context.form.text(.deviceName)
        do {
            let outcome = try await send(code: code, name: name, context)
            var view = try await view(context)
            view.result = Outcome(outcome) { _ in
                guard let name else { return localized("Test sent to the phone.") }
                return localized("Test sent to the phone, which is now the test device “\(name)”.")
            }
            return try page(context, view)
        } catch let refusal as ServiceRefusal where [400, 404, 429].contains(refusal.status) {
            return try await refuse(context, refusal, otherwise: .code)
        }
    }

    private static func sendToUsers(_ context: PageContext) async throws -> Response {
        let lines = context.form.value(.users).split(whereSeparator: \.isNewline).map(\.trimmingSpaces)
        let typed = lines.filter { !$0.isEmpty }
        let users = context.form.all(.device) + typed
        guard !users.isEmpty else {
            return try await refuse(context, FieldMark.marks(.users, localized("Enter at least one user ID.")))
        }
        do {
            if context.form[.save] == "yes" {
                // Test devices stay, whether they get this test or not.
                let devices = try await context.store.testUsers().filter { $0.name != nil }.map(\.id.rawValue)
                let saved = JSONValue.array((devices + typed).map(JSONValue.string))
                try await context.change { _ = try await $0.tests.saveUsers(["users": saved], by: $1) }
            }
            let outcome = try await send(users: users, context)
            var view = try await view(context)
            view.result = Outcome(outcome) { localized("Test sent to \(PageFormatter.counted($0, .user)).") }
            return try page(context, view)
        } catch let refusal as ServiceRefusal where refusal.status == 400 {
            return try await refuse(context, refusal)
        }
    }

    private static func send(
        users: [String] = [],
        code: String? = nil,
        name: String? = nil,
        _ context: PageContext
    ) async throws -> [TestSendService.Outcome] {
        func json(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        let order: JSONValue = [
            "users": .array(users.map(JSONValue.string)), "code": json(code), "device_name": json(name),
            "variant_id": json(context.form.text(.variant)), "language": json(context.form.text(.language)),
        ]
        let campaign = try await CampaignPages.campaign(context)
        return try await context.change { try await $0.tests.send(campaign, order, by: $1) }
    }

    private static func remove(_ user: UserID, _ context: PageContext) async throws -> Response {
        try await context.change { try await $0.tests.removeUser(user, by: $1) }
        return .seeOther("\(try CampaignPages.address(context))/test")
    }

    private static func refuse(_ context: PageContext, _ marks: [String: FieldMark]) async throws -> Response {
        var view = try await view(context)
        view.wrong = marks
        return try page(context, view, status: .badRequest)
    }

    /// The page with what the server says of a field, or of the whole form.
    private static func refuse(
        _ context: PageContext,
        _ refusal: ServiceRefusal,
        otherwise field: FormField? = nil
    ) async throws -> Response {
        let fields: [String: FormField] = [
            "users": .users, "code": .code, "device_name": .deviceName, "variant_id": .variant, "language": .language,
        ]
        let message = localized(sentence: refusal.message)
        var view = try await view(context)
        let found = fields[String(refusal.path.prefix { $0 != "[" })] ?? field
        if let found, found != .language || view.hasLanguages {
            view.wrong = FieldMark.marks(found, message)
        } else {
            view.error = message
        }
        return try page(context, view, status: HTTPResponse.Status(code: refusal.status))
    }

    // MARK: The page

    /// The page with what was typed, or where nothing was yet, with the test users.
    private static func view(_ context: PageContext) async throws -> View {
        let campaign = try await CampaignPages.campaign(context)
        let known = try await context.store.testUsers()
        let cards = campaign.content.variants.compactMap(\.card)
        let languages = cards.flatMap { [$0.language].compactMap(\.self) + Array($0.translations.keys) }
        let chosen = (variant: context.form[.variant], language: context.form[.language])
        let unnamed = known.filter { $0.name == nil }.map(\.id.rawValue).joined(separator: "\n")
        let devices = devices(known, context)
        return View(
            name: campaign.content.name,
            address: try CampaignPages.address(context),
            variants: campaign.content.variants.filter { !$0.isControl }.map {
                let name = $0.name.isEmpty ? $0.id.rawValue : $0.name
                return Choice(value: $0.id.rawValue, name: name, isChosen: $0.id.rawValue == chosen.variant)
            },
            languages: Set(languages).sorted().map { Choice(value: $0, name: $0, isChosen: $0 == chosen.language) },
            hasLanguages: !languages.isEmpty,
            code: context.form.trimmed(.code),
            deviceName: context.form.trimmed(.deviceName),
            devices: devices,
            hasDevices: !devices.isEmpty,
            users: context.form[.users] ?? unnamed,
            savesUsers: context.form[.save] == "yes",
            limit: String(TestSendService.userLimit)
        )
    }

    /// The test devices; all are chosen at first, and those that were left out stay so.
    private static func devices(_ known: [TestUser], _ context: PageContext) -> [Device] {
        let chosen = context.form[.users] == nil ? nil : Set(context.form.all(.device).map(UserID.init(rawValue:)))
        return known.compactMap { user in
            user.name.map { Device(user: user.id.rawValue, name: $0, isChosen: chosen?.contains(user.id) ?? true) }
        }
    }

    private static func page(_ context: PageContext, _ view: View, status: HTTPResponse.Status = .ok) throws -> Response
    {
        try context.page("test-send", title: localized("Send test"), in: .campaigns, status: status, view)
    }
}
