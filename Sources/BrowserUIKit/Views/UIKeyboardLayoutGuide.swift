/// Names the rectangle at the bottom of a view that a keyboard covers, or bars where there is no keyboard.
open class UIKeyboardLayoutGuide: UILayoutGuide {
    /// Whether the guide follows a keyboard that lies anywhere on the screen; browsers have none.
    ///
    /// The default is `false`.
    open var followsUndockedKeyboard = false
    /// Whether the guide is as high as what bars cover where there is no keyboard.
    ///
    /// The default is `true`.
    open var usesBottomSafeArea = true { didSet { owningView?.setNeedsDisplay() } }

    /// The room that a keyboard, or bars, leave of the view.
    func insets(beside area: NSDirectionalEdgeInsets) -> NSDirectionalEdgeInsets {
        let keyboard = owningView?.screen?.environment.keyboardHeight ?? 0
        let bars = usesBottomSafeArea ? area.bottom : 0
        return NSDirectionalEdgeInsets(
            top: 0,
            leading: area.leading,
            bottom: max(bars, keyboard),
            trailing: area.trailing
        )
    }

    /// The rectangle in the view, as far as it is known before the browser has laid anything out.
    open override var layoutFrame: CGRect {
        guard let bounds = owningView?.bounds else { return .zero }
        let height = insets.bottom
        return CGRect(x: bounds.minX, y: bounds.maxY - height, width: bounds.width, height: height)
    }
}
