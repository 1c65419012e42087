/// Adds a way of using a view.
@preconcurrency @MainActor
public protocol UIInteraction: NSObjectProtocol {
    /// The view.
    var view: UIView? { get }

    /// Is called before the interaction comes to a view, or leaves it.
    func willMove(to view: UIView?)

    /// Is called after the interaction has come to a view, or has left it.
    func didMove(to view: UIView?)
}

extension UIView {
    /// The ways of using the view that were added to it.
    public var interactions: [any UIInteraction] { added }

    /// Adds a way of using the view.
    public func addInteraction(_ interaction: any UIInteraction) {
        interaction.view?.removeInteraction(interaction)
        interaction.willMove(to: self)
        added.append(interaction)
        interaction.didMove(to: self)
    }

    /// Removes a way of using the view.
    public func removeInteraction(_ interaction: any UIInteraction) {
        guard added.contains(where: { $0 === interaction }) else { return }
        interaction.willMove(to: nil)
        added.removeAll { $0 === interaction }
        interaction.didMove(to: nil)
    }
}
