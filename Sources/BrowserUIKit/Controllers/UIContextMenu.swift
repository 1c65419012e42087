/// Returns the menu; `nil` for none.
public typealias UIContextMenuActionProvider = @MainActor ([UIMenuElement]) -> UIMenu?
/// Returns what is shown beside the menu; browsers show the menu alone.
public typealias UIContextMenuContentPreviewProvider = @MainActor () -> UIViewController?

/// Describes the menu that a long press opens.
@preconcurrency @MainActor
open class UIContextMenuConfiguration: NSObject {
    /// The identifier of what the menu is for.
    public let identifier: any NSCopying
    private let actionProvider: UIContextMenuActionProvider?

    /// Creates a configuration.
    public init(
        identifier: (any NSCopying)?,
        previewProvider: UIContextMenuContentPreviewProvider?,
        actionProvider: UIContextMenuActionProvider? = nil
    ) {
        self.identifier = identifier ?? NSUUID()
        self.actionProvider = actionProvider
    }

    /// Shows the menu over the controller that a view belongs to; returns whether there is one.
    func show(by view: UIView) -> Bool {
        guard let menu = actionProvider?([]), let controller = view.nearestController else { return false }
        menu.show(by: view, over: controller)
        return true
    }
}

/// Gives the menu that a long press opens.
@preconcurrency @MainActor
public protocol UIContextMenuInteractionDelegate: NSObjectProtocol {
    /// Returns the menu for a place of the view; `nil` for none.
    func contextMenuInteraction(
        _ interaction: UIContextMenuInteraction,
        configurationForMenuAtLocation location: CGPoint
    ) -> UIContextMenuConfiguration?
}

/// Opens a menu by a long press, as a sheet of actions.
open class UIContextMenuInteraction: NSObject, UIInteraction {
    /// The view.
    public private(set) weak var view: UIView?
    /// The object that provides the menu.
    public private(set) weak var delegate: (any UIContextMenuInteractionDelegate)?
    private let press = UILongPressGestureRecognizer()

    /// Creates an interaction.
    public init(delegate: any UIContextMenuInteractionDelegate) {
        self.delegate = delegate
        super.init()
        press.addTarget(self, action: UIContextMenuInteraction.pressed)
    }

    /// Looks for long presses no longer.
    open func willMove(to view: UIView?) {
        self.view?.removeGestureRecognizer(press)
    }

    /// Looks for long presses of the view.
    open func didMove(to view: UIView?) {
        self.view = view
        view?.addGestureRecognizer(press)
    }

    /// Returns where the menu was opened, in the coordinates of the window.
    open func location(in view: UIView?) -> CGPoint { press.location(in: nil) }

    /// Takes the menu away.
    open func dismissMenu() {
        view?.nearestController?.dismiss(animated: true)
    }

    private func pressed() {
        guard press.state == .began, let view, let delegate else { return }
        let place = press.location(in: view)
        _ = delegate.contextMenuInteraction(self, configurationForMenuAtLocation: place)?.show(by: view)
    }
}
