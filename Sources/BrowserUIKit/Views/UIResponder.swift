/// Stands at the root of what takes part in an interface.
@MainActor
open class UIResponder: NSObject {
    /// Creates a responder.
    public override init() {
        super.init()
    }

    /// Who answers where this responder does not.
    open var next: UIResponder? { nil }
}
