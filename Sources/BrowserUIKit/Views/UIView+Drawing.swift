extension UIView {
    /// Asks for a new drawing at the end of the current turn.
    public func setNeedsDisplay() {
        noteAnimation()
        screen?.setNeedsDrawing()
    }

    /// Asks for a new arrangement at the end of the current turn.
    public func setNeedsLayout() {
        setNeedsDisplay()
    }

    /// Arranges subviews now, where that is needed.
    public func layoutIfNeeded() {
        layoutSubviews()
    }

    /// Passes traits and tint down the tree, then lets each view arrange its subviews.
    func update(_ inherited: UITraitCollection, tint: UIColor) {
        let traits = traits(in: inherited)
        let previous = lastTraits
        lastTraits = traits
        UITraitCollection.current = traits
        if previous != traits { tellTraits(before: previous) }
        let ownTint = self.ownTint ?? tint
        if lastTint != ownTint {
            lastTint = ownTint
            tintColorDidChange()
        }
        owner?.sizeView()
        owner?.tellCovered()
        updateConstraintsIfNeeded()
        owner?.viewWillLayoutSubviews()
        layoutSubviews()
        owner?.viewDidLayoutSubviews()
        for view in subviews + (owner?.separateViews ?? []) { view.update(traits, tint: ownTint) }
        UITraitCollection.current = inherited
    }

    var hasOwnTint: Bool { ownTint != nil }

    func render(_ drawing: Drawing) -> String {
        var node = Node()
        node.add(class: "v")
        if let backgroundColor { node.style["background-color"] = backgroundColor.css }
        let opacity = alpha * transitionAlpha
        if opacity < 1 { node.style["opacity"] = CSS.number(opacity) }
        if !isUserInteractionEnabled || movement != nil { node.style["pointer-events"] = "none" }
        if let ownTint, !ownTint.isTint { node.style["--tint"] = ownTint.css }
        if let direction = forcedDirection {
            node.attributes["dir"] = direction == .rightToLeft ? "rtl" : "ltr"
        }
        drawStyle(&node)
        layer.drawTransform(&node)
        if let animation { node.style["transition"] = animation.css }
        layer.draw(into: &node)
        drawing.views[nodeID] = self
        let previous = UITraitCollection.current
        UITraitCollection.current = traitCollection
        draw(&node, in: drawing)
        UITraitCollection.current = previous
        layer.drawContent(&node, of: self, in: drawing)
        drawGestures(&node)
        drawAccessibility(&node, in: drawing)
        if accessibilityFocus > 0, node.attributes["data-focus"] == nil {
            node.attributes["data-focus"] = "\(accessibilityFocus):1"
            if node.attributes["tabindex"] == nil { node.attributes["tabindex"] = "-1" }
        }
        if isSearchResult { node.add(class: "search-results") }
        drawing.nodes[nodeID] = node
        return nodeID
    }

    private func drawStyle(_ node: inout Node) {
        if let forcedStyle { node.style["color-scheme"] = forcedStyle == .dark ? "dark" : "light" }
    }
}
