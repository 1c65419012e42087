/// Turns the constraints among the subviews of one view into style.
///
/// Subviews that hang together from the top down form the flow: they give the view its height, as constraints from top
/// to bottom do. All others lie over or under the flow at fixed distances from the edges.
@preconcurrency @MainActor
struct ConstraintLayout {
    private let container: UIView
    private let children: [UIView]
    private let layouts: [ObjectIdentifier: ChildLayout]

    /// Draws the subviews and returns their ids.
    static func arrange(
        _ subviews: [UIView],
        of view: UIView,
        in drawing: Drawing,
        container: inout Node
    ) -> [String] {
        let visible = (subviews + view.ownGuides.compactMap(\.standIn)).filter { !$0.isHidden }
        guard !visible.isEmpty else { return [] }
        let layout = ConstraintLayout(visible, in: view)
        let flow = layout.flow()
        var ids: [ObjectIdentifier: String] = [:]
        for child in visible {
            let id = child.render(drawing)
            ids[ObjectIdentifier(child)] = id
            let style = layout.style(of: child, flow: flow)
            drawing.nodes[id]?.style.merge(style) { $1 }
        }
        container.style.merge(layout.containerStyle(flow: flow)) { $1 }
        layout.order(visible, flow: flow, in: drawing, ids: ids)
        return visible.compactMap { ids[ObjectIdentifier($0)] }
    }

    init(_ children: [UIView], in container: UIView) {
        self.container = container
        self.children = children
        layouts = Dictionary(
            uniqueKeysWithValues: children.map { (ObjectIdentifier($0), ChildLayout(of: $0, in: container)) }
        )
    }

    private func layout(of view: UIView) -> ChildLayout? { layouts[ObjectIdentifier(view)] }

    // MARK: The flow

    /// The longest chain from the top; one that reaches the bottom wins.
    func flow() -> [UIView] {
        let starts = children.filter { view in
            layout(of: view)?.tie(.top).map { $0.sibling == nil && $0.attribute == .top } ?? false
        }
        let chains = starts.map { chain(from: [$0]) }
        let reaching = chains.filter { $0.last.map(reachesBottom) ?? false }
        return (reaching.isEmpty ? chains : reaching).max { $0.count < $1.count } ?? []
    }

    private func chain(from chain: [UIView]) -> [UIView] {
        guard let last = chain.last, chain.count <= children.count else { return chain }
        let following = children.filter { view in
            guard let tie = layout(of: view)?.tie(.top) else { return false }
            return tie.sibling === last && tie.attribute == .bottom
        }
        let longer = following.map { self.chain(from: chain + [$0]) }
        return longer.max { $0.count < $1.count } ?? chain
    }

    private func reachesBottom(_ view: UIView) -> Bool {
        layout(of: view)?.tie(.bottom).map { $0.sibling == nil } ?? false
    }

    private func order(_ visible: [UIView], flow: [UIView], in drawing: Drawing, ids: [ObjectIdentifier: String]) {
        let fromBack = visible.enumerated().sorted {
            ($0.element.layer.zPosition, $0.offset) < ($1.element.layer.zPosition, $1.offset)
        }
        for (index, (_, view)) in fromBack.enumerated() {
            guard let id = ids[ObjectIdentifier(view)] else { continue }
            drawing.nodes[id]?.style["z-index"] = String(index)
            if let place = flow.firstIndex(where: { $0 === view }), flow.count > 1 {
                drawing.nodes[id]?.style["order"] = String(place)
            }
        }
    }

    // MARK: Styles

    private func style(of view: UIView, flow: [UIView]) -> [String: String] {
        guard !view.translatesAutoresizingMaskIntoConstraints else { return frameStyle(of: view) }
        guard let layout = layout(of: view) else { return [:] }
        var style = layout.style
        if let index = flow.firstIndex(where: { $0 === view }) {
            flowVertical(layout, of: view, at: index, flow: flow, into: &style)
            flowHorizontal(layout, into: &style)
        } else {
            overlay(layout, into: &style)
        }
        return style
    }

    private func frameStyle(of view: UIView) -> [String: String] {
        let fills = view.fillsSuperview
        guard !fills else { return ["position": "absolute", "inset": "0"] }
        return [
            "position": "absolute", "left": CSS.points(view.frame.minX), "top": CSS.points(view.frame.minY),
            "width": CSS.points(view.frame.width), "height": CSS.points(view.frame.height),
        ]
    }

    private func flowVertical(
        _ layout: ChildLayout,
        of view: UIView,
        at index: Int,
        flow: [UIView],
        into style: inout [String: String]
    ) {
        if let top = layout.tie(.top) { style["margin-top"] = CSS.points(top.constant) }
        if index == flow.count - 1, let bottom = layout.tie(.bottom) ?? layout.ties[.bottom]?.last {
            style["margin-bottom"] = CSS.points(-bottom.constant)
        }
        let stretches = reachesBottom(flow.last ?? view) && !layout.fixesHeight
        let isOnlyOne = flow.count == 1 || !flow.contains { !$0.hasIntrinsicHeight }
        style["flex"] = stretches && (!view.hasIntrinsicHeight || isOnlyOne) ? "1 1 auto" : "0 0 auto"
    }

    private func flowHorizontal(_ layout: ChildLayout, into style: inout [String: String]) {
        let leading = distance(layout, from: .leading)
        let trailing = distance(layout, from: .trailing)
        if let leading { style["margin-inline-start"] = CSS.points(leading) }
        if let trailing { style["margin-inline-end"] = CSS.points(trailing) }
        if layout.tie(.centerX) != nil {
            style["align-self"] = "center"
            if let leading, let trailing, layout.width == nil {
                style["width"] = "calc(100% - \(CSS.points(leading + trailing)))"
            }
        } else {
            switch (leading, trailing) {
            case (.some, .none): style["align-self"] = "flex-start"
            case (.none, .some): style["align-self"] = "flex-end"
            default: break
            }
        }
    }

    private func overlay(_ layout: ChildLayout, into style: inout [String: String]) {
        style["position"] = "absolute"
        let top = distance(layout, from: .top)
        let bottom = distance(layout, from: .bottom)
        let leading = distance(layout, from: .leading)
        let trailing = distance(layout, from: .trailing)
        if let top { style["top"] = CSS.points(top) }
        if let bottom { style["bottom"] = CSS.points(bottom) }
        if let leading { style["inset-inline-start"] = CSS.points(leading) }
        if let trailing { style["inset-inline-end"] = CSS.points(trailing) }
        var shifts = ["0", "0"]
        if leading == nil, trailing == nil, layout.tie(.centerX) != nil {
            style["left"] = "50%"
            shifts[0] = "-50%"
        }
        if top == nil, bottom == nil, let center = layout.tie(.centerY) {
            style["top"] = "calc(50% + \(CSS.points(center.constant)))"
            shifts[1] = "-50%"
        }
        if shifts != ["0", "0"] { style["translate"] = shifts.joined(separator: " ") }
    }

    /// The distance of a side from the same side of the container, where it follows from constants alone.
    ///
    /// Each view is asked once: views may be tied to each other in both directions.
    private func distance(
        _ layout: ChildLayout,
        from side: NSLayoutConstraint.Attribute,
        asked: Set<ObjectIdentifier> = []
    ) -> CGFloat? {
        let exact = layout.exactTies(side)
        for tie in exact.isEmpty ? [loose(layout, side)].compactMap({ $0 }) : exact {
            if let distance = distance(tie, from: side, asked: asked) { return distance }
        }
        return nil
    }

    private func distance(
        _ tie: ChildLayout.Tie,
        from side: NSLayoutConstraint.Attribute,
        asked: Set<ObjectIdentifier>
    ) -> CGFloat? {
        let sign: CGFloat = side == .top || side == .leading ? 1 : -1
        guard let sibling = tie.sibling else { return tie.attribute == side ? sign * tie.constant : nil }
        guard let other = self.layout(of: sibling) else { return sign * tie.constant }
        guard !asked.contains(ObjectIdentifier(sibling)) else { return nil }
        let asked = asked.union([ObjectIdentifier(sibling)])
        guard let start = distance(other, from: side, asked: asked) else { return nil }
        if tie.attribute == side { return start + sign * tie.constant }
        let isVertical = side == .top || side == .bottom
        guard tie.attribute == side.opposite, let length = isVertical ? other.height : other.width else { return nil }
        return start + length + sign * tie.constant
    }

    /// Ends that must only stay inside do so exactly, so that long text wraps.
    private func loose(_ layout: ChildLayout, _ side: NSLayoutConstraint.Attribute) -> ChildLayout.Tie? {
        guard side == .trailing || side == .leading, layout.width == nil else { return nil }
        return layout.ties[side]?.last { $0.relation != .equal }
    }

    /// Overlays of fixed height that must stay inside keep the container at least that high.
    private func containerStyle(flow: [UIView]) -> [String: String] {
        let heights = children.compactMap { view -> CGFloat? in
            guard !flow.contains(where: { $0 === view }), let layout = layout(of: view), let height = layout.height,
                let top = distance(layout, from: .top),
                let bottom = layout.ties[.bottom]?.first(where: { $0.sibling == nil && $0.relation == .lessThanOrEqual }
                )
            else { return nil }
            return top + height - bottom.constant
        }
        return heights.max().map { ["min-height": CSS.points($0)] } ?? [:]
    }
}
