/// Stands at the root of what takes part in an interface.
@MainActor
open class UIResponder {
    /// Creates a responder.
    public init() {}

    /// Who answers where this responder does not.
    open var next: UIResponder? { nil }
}
