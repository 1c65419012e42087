import Liquid
import WireJSON

/// A card whose texts depend on its user: every text, URL and value compiled once, rendered for each user.
///
/// It has nothing of content blocks, which are looked up while it is rendered: it stays as it is where they change.
struct CompiledCard: Sendable {
    /// One text that is a template.
    private struct Part: Sendable {
        /// The field's name, for errors; what is in the extras begins with `extras.`.
        let field: String
        let target: WritableKeyPath<CardTemplate, String?> & Sendable
        let template: Result<LiquidTemplate, LiquidError>
    }

    private static let texts: [(String, WritableKeyPath<CardTemplate, String?> & Sendable)] = [
        ("title", \.title), ("description", \.description), ("image", \.image), ("image_alt", \.imageAlt),
        ("domain", \.domain), ("url", \.url),
    ]

    private let card: CardTemplate
    private let parts: [Part]
    private let extras: StringMap<Result<LiquidTemplate, LiquidError>>

    /// Compiles a card, or returns `nil` where nothing of it is a template.
    init?(_ card: CardTemplate, engine: TemplateEngine) {
        func compile(_ text: String) -> Result<LiquidTemplate, LiquidError> {
            Result { () throws(LiquidError) in try engine.environment.compile(text) }
        }
        parts = Self.texts.compactMap { field, target in
            guard let text = card[keyPath: target], TemplateEngine.isTemplate(text) else { return nil }
            return Part(field: field, target: target, template: compile(text))
        }
        extras = card.extras.filter { TemplateEngine.isTemplate($0.value) }.mapValues(compile)
        guard !parts.isEmpty || !extras.isEmpty else { return nil }
        self.card = card
    }

    /// Renders the card for one user, with the content blocks and limits of an engine.
    func render(
        _ data: CardData,
        with engine: TemplateEngine,
        budget: RenderBudget
    ) throws(TemplateFailure) -> CardTemplate {
        let allowance = budget.allowance()
        defer { budget.settle(allowance) }
        var rendered = card
        var context = LiquidContext(data: data)
        context.contentBlocks = engine.blocks
        context.connectedContent = engine.connectedContent
        context.calendar = data.calendar
        context.elapsed = budget.elapsed
        let deadline = budget.elapsed() + TemplateEngine.cardDuration
        for part in parts {
            let text = try Self.text(part.template, part.field, context, allowance, deadline)
            // What renders to nothing is not there: an empty URL would lead nowhere.
            rendered[keyPath: part.target] = text.isEmpty ? nil : text
        }
        for (name, template) in extras {
            rendered.extras[name] = try Self.text(template, "extras.\(name)", context, allowance, deadline)
        }
        try Self.check(rendered, limit: engine.cardSizeLimit)
        return rendered
    }

    private static func text(
        _ template: Result<LiquidTemplate, LiquidError>,
        _ field: String,
        _ context: LiquidContext,
        _ allowance: LiquidBudget,
        _ deadline: Duration
    ) throws(TemplateFailure) -> String {
        let outcome: LiquidOutcome
        do throws(LiquidError) {
            guard context.elapsed() <= deadline else {
                throw LiquidError(.timeLimit, "The texts of the card take longer than they may together.")
            }
            outcome = try template.get().render(context, budget: allowance)
        } catch {
            throw TemplateFailure(.failed, field: field, reason: error.code.rawValue, message: error.sentence)
        }
        switch outcome {
        case .rendered(let text): return text
        case .aborted(let reason, let source):
            let said = reason ?? ""
            throw TemplateFailure(
                .aborted,
                field: field,
                reason: said,
                counted: source ?? "",
                message: "The template aborts: \(said)"
            )
        }
    }

    private static func check(_ rendered: CardTemplate, limit: Int) throws(TemplateFailure) {
        if let url = rendered.url, !CardURL.isAllowed(url) {
            throw TemplateFailure(
                .failed,
                field: "url",
                reason: "url_forbidden",
                message: "The URL has a scheme that never opens."
            )
        }
        // Translations were chosen among before.
        var own = rendered
        own.translations = [:]
        let size = own.contentSize
        guard size <= limit else {
            throw TemplateFailure(
                .tooLarge,
                reason: "card_too_large",
                message: "Rendered, the card takes \(size) bytes; \(limit) are possible."
            )
        }
    }
}

extension LiquidError {
    /// The message with its place.
    var sentence: String {
        guard line > 0 else { return message }
        let place = template.map { " of \($0)" } ?? ""
        return "Line \(line), column \(column)\(place): \(message)"
    }
}
