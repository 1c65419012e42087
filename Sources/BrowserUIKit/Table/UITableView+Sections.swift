/// Names the header or footer of a section.
struct SectionPlace: Hashable {
    let section: Int
    let edge: SectionEdge
}

/// Keeps the views above and below the rows of sections.
@preconcurrency @MainActor
final class SectionEdges {
    var live: [SectionPlace: UIView] = [:]
    /// Heights that the app gave: browsers measure the others.
    var fixed: [SectionPlace: CGFloat] = [:]
    var classes: [String: UITableViewHeaderFooterView.Type] = [:]
    var reuse = ReuseQueue<UITableViewHeaderFooterView, SectionPlace>()
    /// The place for which the app is being asked for a view.
    var asked: SectionPlace?

    func shows(_ view: UIView) -> Bool { live.values.contains { $0 === view } }
}

extension UITableView {
    /// Says which class makes the headers and footers of an identifier.
    public func register(
        _ aClass: UITableViewHeaderFooterView.Type?,
        forHeaderFooterViewReuseIdentifier identifier: String
    ) {
        edges.classes[identifier] = aClass
    }

    /// Lets plain headers and footers be made for an identifier: browsers have no nib files.
    public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
        let plain: UITableViewHeaderFooterView.Type? = nib == nil ? nil : UITableViewHeaderFooterView.self
        register(plain, forHeaderFooterViewReuseIdentifier: identifier)
    }

    /// Returns a header or footer that waits for use, or a new one of the registered class; `nil` where none is
    /// registered.
    public func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? {
        if let view = edges.reuse.take(identifier, for: edges.asked) {
            view.prepareForReuse()
            view.naming.isReused = true
            return view
        }
        let view = edges.classes[identifier]?.init(dequeuedWithReuseIdentifier: identifier)
        view?.isInPlainTable = style == .plain
        return view
    }

    /// Returns the header of a section that has one of the kind that tables use again; `nil` where it has none now.
    public func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
        edges.live[SectionPlace(section: section, edge: .header)] as? UITableViewHeaderFooterView
    }

    /// Returns the footer of a section that has one of the kind that tables use again; `nil` where it has none now.
    public func footerView(forSection section: Int) -> UITableViewHeaderFooterView? {
        edges.live[SectionPlace(section: section, edge: .footer)] as? UITableViewHeaderFooterView
    }

    /// Returns the rectangle of a section, with its header and footer, among the content.
    public func rect(forSection section: Int) -> CGRect {
        if needsReload { readRows() }
        guard geometry.sections.indices.contains(section) else { return .zero }
        let start = geometry.start(ofSection: section)
        return CGRect(
            x: 0,
            y: start + headerHeight,
            width: bounds.width,
            height: geometry.start(ofSection: section + 1) - start
        )
    }

    /// Returns the rectangle of the header of a section among the content.
    public func rectForHeader(inSection section: Int) -> CGRect {
        var rect = rect(forSection: section)
        rect.size.height = geometry.height(of: .header, in: section)
        return rect
    }

    /// Returns the rectangle of the footer of a section among the content.
    public func rectForFooter(inSection section: Int) -> CGRect {
        var rect = rect(forSection: section)
        let height = geometry.height(of: .footer, in: section)
        rect.origin.y = rect.maxY - height
        rect.size.height = height
        return rect
    }

    // MARK: Asking the app

    private func title(at place: SectionPlace) -> String? {
        place.edge == .header
            ? dataSource?.tableView(self, titleForHeaderInSection: place.section)
            : dataSource?.tableView(self, titleForFooterInSection: place.section)
    }

    private func view(at place: SectionPlace) -> UIView? {
        edges.asked = place
        defer { edges.asked = nil }
        let own =
            place.edge == .header
            ? tableDelegate?.tableView(self, viewForHeaderInSection: place.section)
            : tableDelegate?.tableView(self, viewForFooterInSection: place.section)
        return own ?? title(at: place).map { titleView($0, at: place) }
    }

    private func titleView(_ title: String, at place: SectionPlace) -> UITableViewHeaderFooterView {
        let identifier = "placard.title.\(place.edge.rawValue)"
        let view =
            edges.reuse.take(identifier, for: place) ?? UITableViewHeaderFooterView(reuseIdentifier: identifier)
        view.isInPlainTable = style == .plain
        view.textLabel?.text = style == .plain || place.edge == .footer ? title : title.uppercased()
        return view
    }

    /// The height that the app gave; `nil` where that follows from the content.
    private func givenHeight(at place: SectionPlace) -> CGFloat? {
        let height =
            place.edge == .header
            ? tableDelegate?.tableView(self, heightForHeaderInSection: place.section) ?? sectionHeaderHeight
            : tableDelegate?.tableView(self, heightForFooterInSection: place.section) ?? sectionFooterHeight
        // As UIKit has it: in groups, 0 asks for the usual room.
        return height > 0 || height == 0 && style == .plain ? height : nil
    }

    /// The room that the table adds above what is shown.
    private func room(above place: SectionPlace) -> CGFloat {
        guard style == .plain, place.edge == .header else { return 0 }
        return headerRoom
    }

    /// The room above headers of a plain table.
    var headerRoom: CGFloat { sectionHeaderTopPadding >= 0 ? sectionHeaderTopPadding : 22 }

    /// The height where nothing is shown: groups stand apart.
    private func emptyHeight(at place: SectionPlace) -> CGFloat {
        guard style != .plain else { return 0 }
        return place == SectionPlace(section: 0, edge: .header) && tableHeaderView == nil ? 35 : 17.5
    }

    /// Returns about how high the header or footer of a section is.
    func estimate(_ edge: SectionEdge, in section: Int) -> CGFloat {
        let place = SectionPlace(section: section, edge: edge)
        if let height = givenHeight(at: place) { return height == 0 ? 0 : height + room(above: place) }
        let own =
            edge == .header
            ? tableDelegate?.tableView(self, estimatedHeightForHeaderInSection: section) ?? estimatedSectionHeaderHeight
            : tableDelegate?.tableView(self, estimatedHeightForFooterInSection: section) ?? estimatedSectionFooterHeight
        if own > 0 { return own + room(above: place) }
        return title(at: place) == nil ? emptyHeight(at: place) : style == .plain ? 32 + room(above: place) : 38
    }

    // MARK: Keeping views for what is on screen

    /// Brings headers and footers in line with the sections that are on screen or near it.
    func showEdges(from top: CGFloat, to bottom: CGFloat) {
        let wanted = geometry.sections(from: top, to: bottom)
        let known = Set(edges.live.keys).union(edges.fixed.keys)
        for place in known where !wanted.contains(place.section) { hideEdge(at: place) }
        for section in wanted {
            for edge in [SectionEdge.header, .footer] { showEdge(at: SectionPlace(section: section, edge: edge)) }
        }
    }

    private func showEdge(at place: SectionPlace) {
        guard edges.live[place] == nil, edges.fixed[place] == nil else { return }
        let given = givenHeight(at: place)
        guard given != 0, let view = view(at: place) else {
            edges.fixed[place] = given ?? emptyHeight(at: place)
            return geometry.set(given ?? emptyHeight(at: place), of: place.edge, in: place.section)
        }
        edges.fixed[place] = given
        if let given { geometry.set(given + room(above: place), of: place.edge, in: place.section) }
        edges.live[place] = view
        (view as? UITableViewHeaderFooterView)?.isFooter = place.edge == .footer
        addSubview(view)
        place.edge == .header
            ? tableDelegate?.tableView(self, willDisplayHeaderView: view, forSection: place.section)
            : tableDelegate?.tableView(self, willDisplayFooterView: view, forSection: place.section)
    }

    private func hideEdge(at place: SectionPlace) {
        edges.fixed[place] = nil
        guard let view = edges.live.removeValue(forKey: place) else { return }
        view.removeFromSuperview()
        if let view = view as? UITableViewHeaderFooterView {
            edges.reuse.put(view, as: view.reuseIdentifier, from: place)
        }
        place.edge == .header
            ? tableDelegate?.tableView(self, didEndDisplayingHeaderView: view, forSection: place.section)
            : tableDelegate?.tableView(self, didEndDisplayingFooterView: view, forSection: place.section)
    }

    /// Forgets all headers and footers, so that the app is asked for them again.
    func hideEdges() {
        for place in edges.live.keys.sorted(by: { $0.section > $1.section }) { hideEdge(at: place) }
        edges.fixed = [:]
        edges.reuse.trim(to: 12)
    }

    /// Takes the heights that the browser measured.
    func takeEdges(_ report: ScrollReport) {
        for (place, view) in edges.live where edges.fixed[place] == nil {
            guard let height = report.rows[view.nodeID] else { continue }
            geometry.set(height + room(above: place), of: place.edge, in: place.section)
        }
    }
}
