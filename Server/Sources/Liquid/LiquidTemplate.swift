/// A compiled template: immutable, so that any number of tasks render it at once.
public final class LiquidTemplate: Sendable {
    /// The name given when compiling.
    public let name: String?
    let nodes: [Node]
    /// The names that the nodes refer to by number.
    let names: [String]
    let source: [UInt8]
    let limits: LiquidLimits

    init(nodes: [Node], names: [String], source: [UInt8], name: String?, limits: LiquidLimits) {
        self.nodes = nodes
        self.names = names
        self.source = source
        self.name = name
        self.limits = limits
    }

    /// Renders the template.
    ///
    /// Throws the first error; there is no partial output. A template that aborts itself is not an error.
    public func render(_ context: LiquidContext = LiquidContext()) throws(LiquidError) -> LiquidOutcome {
        var renderer = Renderer(template: self, context: context, limits: limits)
        do throws(LiquidError) {
            _ = try renderer.render(nodes)
            try renderer.checkOutput()
            return .rendered(String(bytes: renderer.output))
        } catch {
            if error.code == .aborted { return .aborted(reason: renderer.abortReason) }
            throw renderer.placed(error)
        }
    }
}

/// What rendering comes to.
public enum LiquidOutcome: Sendable, Equatable {
    /// The text.
    case rendered(String)
    /// The template asked not to be sent, maybe with a reason.
    case aborted(reason: String?)

    /// The text, if there is one.
    public var text: String? {
        if case .rendered(let text) = self { return text }
        return nil
    }
}
