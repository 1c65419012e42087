import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let testSend = PageDescriptor(templates: ["test-send": PackageResources.test_send_mustache]) { routes in
        routes.get("/dashboard/campaigns/:id/test", .editor, TestSendPage.show)
        routes.post("/dashboard/campaigns/:id/test", .editor, TestSendPage.send)
    }
}

/// Sends a card of a campaign to a few users to try, before its launch or after it.
enum TestSendPage {
    struct TestSendOption {
        let value: String
        let name: String
        let isChosen: Bool
    }

    struct TestSendFailure {
        let user: String
        let message: String
    }

    struct TestSendOutcome {
        let sent: String?
        let failed: [TestSendFailure]
        /// The notice of what was saved.
        var saved: String?

        init(_ outcomes: [TestSendService.TestCardOutcome], sent: (Int64) -> String) {
            failed = outcomes.compactMap { user, card in
                if case .failure(let failure) = card {
                    TestSendFailure(user: user.rawValue, message: localized(sentence: failure.message))
                } else {
                    nil
                }
            }
            let count = Int64(outcomes.count - failed.count)
            self.sent = count > 0 ? sent(count) : nil
        }
    }

    struct TestSendView {
        let name: String
        let address: String
        let variants: [TestSendOption]
        let languages: [TestSendOption]
        let hasLanguages: Bool
        let code: String
        let deviceName: String
        let recipients: TestSendRecipients
        let search: String
        let users: String
        let groupName: String
        let limit: String
        let longestName = TestUser.nameBytes
        var result: TestSendOutcome?
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try page(context, try await view(context))
    }

    @Sendable static func send(_ context: PageContext) async throws -> Response {
        if let user = context.form.text(.remove) { return try await remove(UserID(rawValue: user), context) }
        if let group = context.form[.removeGroup] { return try await remove(group: group, context) }
        let (to, search) = (context.form[.to], context.form.text(.q))
        // Enter in the field of the search presses the first button.
        let isSearch = to == "find" || to == "code" && context.form.text(.code) == nil && search != nil
        if isSearch { return try page(context, try await view(context, searching: search)) }
        return to == "code" ? try await sendByCode(context) : try await sendToUsers(context)
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
            view.result = TestSendOutcome(outcome) { _ in
                guard let name else { return localized("Test sent to the phone.") }
                return localized("Test sent to the phone, which is now the test device “\(name)”.")
            }
            return try page(context, view)
        } catch let refusal as ServiceError where [400, 404, 429].contains(refusal.status) {
            return try await refuse(context, refusal, otherwise: .code)
        }
    }

    private static func sendToUsers(_ context: PageContext) async throws -> Response {
        let users = try await TestSendRecipients.chosen(context)
        guard !users.isEmpty else {
            let message = localized("Choose a group or a user, or enter a user ID.")
            return try await refuse(context, FieldMark.marks(.users, message))
        }
        do {
            let group = context.form.text(.groupName)
            // Nobody gets a test that is said to have failed.
            if let group { try await context.ask { server, _ in try await server.tests.checkGroup(group, of: users) } }
            let outcome = try await send(users: users.map(\.rawValue), context)
            if let group { try await context.change { try await $0.tests.saveGroup(group, of: users, by: $1) } }
            var view = try await view(context)
            view.result = TestSendOutcome(outcome) { localized("Test sent to \(PageFormatter.counted($0, .user)).") }
            view.result?.saved = group.map { localized("Saved as the test group “\($0)”.") }
            return try page(context, view)
        } catch let refusal as ServiceError where refusal.status == 400 {
            return try await refuse(context, refusal)
        }
    }

    private static func send(
        users: [String] = [],
        code: String? = nil,
        name: String? = nil,
        _ context: PageContext
    ) async throws -> [TestSendService.TestCardOutcome] {
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

    private static func remove(group: String, _ context: PageContext) async throws -> Response {
        try await context.change { try await $0.tests.removeGroup(group.isEmpty ? nil : group, by: $1) }
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
        _ refusal: ServiceError,
        otherwise field: FormField? = nil
    ) async throws -> Response {
        let fields: [String: FormField] = [
            "users": .users, "code": .code, "device_name": .deviceName, "variant_id": .variant, "language": .language,
            "group": .groupName,
        ]
        let message = localized(sentence: refusal.message)
        var view = try await view(context)
        let found = fields[String(refusal.path.prefix(before: "["))] ?? field
        if let found, found != .language || view.hasLanguages {
            view.wrong = FieldMark.marks(found, message)
        } else {
            view.error = message
        }
        let page = try page(context, view, status: HTTPResponse.Status(code: refusal.status))
        return page.retryable(after: refusal.retryAfter)
    }

    // MARK: The page

    /// The page with what was typed and chosen.
    private static func view(_ context: PageContext, searching text: String? = nil) async throws -> TestSendView {
        let campaign = try await CampaignPages.campaign(context)
        let cards = campaign.content.variants.compactMap(\.card)
        let languages = cards.flatMap { [$0.language].compactMap(\.self) + Array($0.translations.keys) }
        let chosen = (variant: context.form[.variant], language: context.form[.language])
        return TestSendView(
            name: campaign.content.name,
            address: try CampaignPages.address(context),
            variants: campaign.content.variants.filter { !$0.isControl }.map {
                TestSendOption(
                    value: $0.id.rawValue,
                    name: $0.displayName,
                    isChosen: $0.id.rawValue == chosen.variant
                )
            },
            languages: Set(languages).sorted().map { tag in
                TestSendOption(value: tag, name: LanguageNames.name(tag) ?? tag, isChosen: tag == chosen.language)
            },
            hasLanguages: !languages.isEmpty,
            code: context.form.trimmed(.code),
            deviceName: context.form.trimmed(.deviceName),
            recipients: try await TestSendRecipients(context, searching: text),
            search: context.form.trimmed(.q),
            users: context.form.value(.users),
            groupName: context.form.trimmed(.groupName),
            limit: String(TestSendService.userLimit)
        )
    }

    private static func page(
        _ context: PageContext,
        _ view: TestSendView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try context.page("test-send", title: localized("Send test"), in: .campaigns, status: status, view)
    }
}
