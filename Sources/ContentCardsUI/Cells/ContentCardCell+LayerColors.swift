#if !os(tvOS)
#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

// Colours of layers are fixed, and have to be set again when the appearance changes.
extension ContentCardCell {
    /// Sets the colour of the border for the appearance of now.
    func applyBorderColor() {
        rootView.layer.borderColor = attributes.border(under: traitCollection).cgColor
    }

    /// Sets the colour of the shadow for the appearance of now.
    func applyShadowColor() {
        rootView.layer.shadowColor = shadow(under: traitCollection)
    }

    /// Changes border and shadow with the appearance, each unless the app has set it itself.
    func followAppearance(of previous: UITraitCollection) {
        let layer = rootView.layer
        if layer.borderColor == attributes.border(under: previous).cgColor { applyBorderColor() }
        if layer.shadowColor == shadow(under: previous) { applyShadowColor() }
    }

    private func shadow(under traits: UITraitCollection) -> CGColor {
        attributes.shadowColor.resolvedColor(with: traits).cgColor
    }
}
#endif
