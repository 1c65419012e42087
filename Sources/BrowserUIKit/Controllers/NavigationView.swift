/// Draws the bar and the controller on top.
final class NavigationView: UIView {
    private weak var controller: UINavigationController?

    init(_ controller: UINavigationController) {
        self.controller = controller
        super.init(frame: .zero)
        backgroundColor = .systemBackground
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.add(class: "navigation")
        guard let controller, let top = controller.topViewController else { return }
        let content = (controller.running?.container ?? top.view).render(drawing)
        drawing.nodes[content]?.add(class: "screen-content")
        node.attributes["data-depth"] = String(controller.viewControllers.count)
        let bar = controller.isNavigationBarHidden ? nil : drawBar(for: top, in: drawing)
        node.children = [bar, content, drawToolbar(in: drawing)].compactMap { $0 }
        if controller.edgeShift != 0 { drawing.nodes[content]?.style["translate"] = CSS.points(controller.edgeShift) }
        guard controller.extendsUnderBar(top) else { return }
        node.add(class: "under")
        guard let scroll = top.scrollView(at: .top) else { return }
        let height = controller.largeTitleHeight(isResting: true)
        drawing.nodes[scroll.scrollerID]?.attributes["data-lead"] = CSS.number(height)
    }

    private func drawToolbar(in drawing: Drawing) -> String? {
        guard let controller, !controller.isToolbarHidden else { return nil }
        let id = controller.toolbar.render(drawing)
        drawing.nodes[id]?.style["padding-bottom"] = CSS.points(controller.covered(isResting: true).bottom)
        return id
    }

    private func drawBar(for top: UIViewController, in drawing: Drawing) -> String {
        let title = drawTitle(of: top.navigationItem, in: drawing)
        let item = top.navigationItem
        let left =
            [drawBack(from: top, in: drawing)].compactMap { $0 } + draw("left", item.leftBarButtonItems, in: drawing)
        let leading = drawing.add("\(nodeID).leading", class: "bar-side leading", children: left)
        let right = draw("right", item.rightBarButtonItems, in: drawing).reversed()
        let trailing = drawing.add("\(nodeID).trailing", class: "bar-side trailing", children: Array(right))
        let id = drawing.add("\(nodeID).bar", tag: "header", class: "bar", children: [leading, title, trailing])
        drawing.nodes[id]?.style["padding-top"] = CSS.points(controller?.roomAboveBar ?? 0)
        if var node = drawing.nodes[id] {
            let isOver = controller?.extendsUnderBar(top) == true
            controller?.navigationBar.style(&node, page: isOver ? nil : top.view.backgroundColor)
            drawing.nodes[id] = node
        }
        drawLargeTitle(of: item, on: id, title, in: drawing)
        if let search = item.searchController?.searchBar, search.superview === self {
            // Drawn first: it adds to the same nodes.
            let field = search.render(drawing)
            drawing.nodes[id]?.children.append(field)
            drawing.nodes[id]?.add(class: "searchable")
        }
        return id
    }

    /// Adds a large title below the buttons, which leaves when the content is scrolled.
    private func drawLargeTitle(of item: UINavigationItem, on bar: String, _ title: String, in drawing: Drawing) {
        if var node = drawing.nodes[title] {
            controller?.navigationBar.style(&node, isLarge: false)
            drawing.nodes[title] = node
        }
        guard controller?.drawsLargeTitle == true, let text = item.title else { return }
        let id = drawing.add("\(nodeID).large", tag: "h1", class: "large-title", text: text)
        if var node = drawing.nodes[id] {
            controller?.navigationBar.style(&node, isLarge: true)
            drawing.nodes[id] = node
        }
        // A title begins where the interface does, whatever its language.
        let isRightToLeft = traitCollection.layoutDirection == .rightToLeft
        drawing.nodes[id]?.style["text-align"] = isRightToLeft ? "right" : "left"
        drawing.nodes[title]?.attributes["aria-hidden"] = "true"
        drawing.nodes[bar]?.add(class: "large")
        drawing.nodes[bar]?.children.append(id)
    }

    private func drawTitle(of item: UINavigationItem, in drawing: Drawing) -> String {
        guard let view = item.titleView, view.superview === self else {
            return drawing.add("\(nodeID).title", tag: "h1", class: "bar-title", text: item.title ?? "")
        }
        return drawing.add("\(nodeID).title-view", class: "bar-title own", children: [view.render(drawing)])
    }

    /// Adds the views that the bar shows, and removes those that it no longer does.
    override func layoutSubviews() {
        let item = controller?.isNavigationBarHidden == false ? controller?.topViewController?.navigationItem : nil
        let buttons = (item?.leftBarButtonItems ?? []) + (item?.rightBarButtonItems ?? [])
        let own = [item?.titleView, item?.searchController?.searchBar].compactMap { $0 }
        var wanted = own + buttons.compactMap(\.customView)
        if let controller, !controller.isToolbarHidden, let toolbar = controller.toolbar {
            toolbar.items = controller.topViewController?.toolbarItems
            wanted.append(toolbar)
        }
        if let container = controller?.running?.container { wanted.append(container) }
        for view in subviews where !wanted.contains(where: { $0 === view }) { view.removeFromSuperview() }
        for view in wanted where view.superview !== self { addSubview(view) }
    }

    private func drawBack(from top: UIViewController, in drawing: Drawing) -> String? {
        guard let controller, controller.viewControllers.count > 1, top.navigationItem.showsBackButton else {
            return nil
        }
        let previous = controller.viewControllers[controller.viewControllers.count - 2].navigationItem
        let word = SystemStrings.back.text(in: screen?.environment.language)
        let title = previous.backButtonTitle ?? previous.title ?? word
        let texts: [UINavigationItem.BackButtonDisplayMode: String] = [.generic: word, .minimal: ""]
        let text = texts[previous.backButtonDisplayMode] ?? title
        let id = drawing.add("\(nodeID).back", tag: "button", class: "bar-button back", text: text)
        drawing.nodes[id]?.attributes["data-tap"] = ""
        if text.isEmpty { drawing.nodes[id]?.attributes["aria-label"] = title.isEmpty ? word : title }
        controller.navigationBar.looks(of: \.backButtonAppearance).style(id, isEnabled: true, in: drawing)
        return id
    }

    private func draw(_ side: String, _ items: [UIBarButtonItem]?, in drawing: Drawing) -> [String] {
        (items ?? []).enumerated().map { index, item in
            let looks = controller?.navigationBar.looks { bar in
                item.isProminent ? bar.doneButtonAppearance : bar.buttonAppearance
            }
            return item.draw("\(nodeID).\(side)\(index)", of: self, looks: looks, in: drawing)
        }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .tap = event.kind, let controller else { return false }
        if event.part == "back" {
            controller.popViewController(animated: true)
            return true
        }
        let item = controller.topViewController?.navigationItem
        let lists = [("left", item?.leftBarButtonItems), ("right", item?.rightBarButtonItems)]
        for (side, items) in lists where event.part.hasPrefix(side) {
            guard let items, let index = Int(event.part.dropFirst(side.count)), items.indices.contains(index) else {
                return false
            }
            return items[index].perform(in: controller.topViewController?.view ?? self)
        }
        return false
    }
}
