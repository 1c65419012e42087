extension UISheetPresentationController {
    /// The time for which a sheet that is thrown counts as going on, in seconds.
    private static let glide: CGFloat = 0.15

    /// Brings the sheet to the height that is nearest to where the user has let go of it, or dismisses it below half
    /// of the smallest one.
    ///
    /// - Parameters:
    ///   - height: how far the sheet reaches from the bottom of the screen, in points.
    ///   - velocity: how fast it was going upwards, in points a second.
    func release(at height: CGFloat, velocity: CGFloat) {
        noteRelease()
        let heights = heights
        let aim = height - environment.safeArea.bottom + velocity * Self.glide
        guard aim >= heights[0].value / 2 else { return dismissForUser() }
        let nearest = heights.min { abs($0.value - aim) < abs($1.value - aim) } ?? heights[0]
        guard nearest.identifier != heights[selection(among: heights)].identifier else { return }
        choose(nearest.identifier)
    }

    /// Brings the sheet to a height for the user, and tells the delegate.
    func choose(_ identifier: Detent.Identifier) {
        animateChanges { selectedDetentIdentifier = identifier }
        (delegate as? any UISheetPresentationControllerDelegate)?
            .sheetPresentationControllerDidChangeSelectedDetentIdentifier(self)
    }

    /// Dismisses the sheet where controller and delegate let the user do so; the delegate is told either way.
    func dismissForUser() {
        let controller = presentedViewController
        guard !controller.isHeldModal, delegate?.presentationControllerShouldDismiss(self) ?? true else {
            delegate?.presentationControllerDidAttemptToDismiss(self)
            return
        }
        delegate?.presentationControllerWillDismiss(self)
        controller.dismiss(animated: true)
        delegate?.presentationControllerDidDismiss(self)
    }
}

extension UIViewController {
    /// Whether the controller, or one that it shows, keeps the user from dismissing it.
    fileprivate var isHeldModal: Bool { isModalInPresentation || appearingChildren.contains(where: \.isHeldModal) }
}
