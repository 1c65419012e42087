/// A compiled template: immutable, so that any number of tasks render it at once.
public final class LiquidTemplate: Sendable {
    /// The name given when compiling.
    public let name: String?
    let nodes: [TemplateNode]
    /// The names that the nodes refer to by number.
    let names: [String]
    let source: [UInt8]
    let limits: LiquidLimits

    init(nodes: [TemplateNode], names: [String], source: [UInt8], name: String?, limits: LiquidLimits) {
        self.nodes = nodes
        self.names = names
        self.source = source
        self.name = name
        self.limits = limits
    }

    /// Renders the template.
    ///
    /// There is no partial output. A template that aborts itself is not an error.
    ///
    /// - Parameters:
    ///   - context: What the template sees.
    ///   - budget: What this render and others may cost together, beside the limits of each.
    /// - Returns: The text, or that the template aborted.
    /// - Throws: `LiquidError` with the place of the first error.
    public func render(
        _ context: LiquidContext = LiquidContext(),
        budget: LiquidBudget? = nil
    ) throws(LiquidError) -> LiquidOutcome {
        let meter = RenderMeter(limits: limits, budget: budget, elapsed: context.elapsed)
        defer { meter.settle() }
        var renderer = Renderer(template: self, context: context, meter: meter)
        do throws(LiquidError) {
            _ = try renderer.render(nodes)
            return .rendered(renderer.output.text)
        } catch {
            if error.code == .aborted {
                return .aborted(reason: renderer.abortReason, source: renderer.abortSource)
            }
            throw renderer.placed(error)
        }
    }
}

/// The outcome of rendering.
public enum LiquidOutcome: Sendable, Equatable {
    /// The text.
    case rendered(String)
    /// The template asked not to be sent, maybe with a reason.
    ///
    /// The reason may say what the template knows of a user. Its source doesn't: it is the text where the template has
    /// it as a literal, and otherwise the expression in braces, such as `{{first_name}}`.
    case aborted(reason: String?, source: String?)

    /// The text, if there is one.
    public var text: String? {
        if case .rendered(let text) = self { return text }
        return nil
    }
}
