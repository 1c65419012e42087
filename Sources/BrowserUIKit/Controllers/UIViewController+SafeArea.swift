// What bars cover of views. Bars have fixed heights, so that insets are known before the browser has laid anything out.

/// The heights of bars.
enum BarHeight {
    /// The buttons and the title of a navigation bar.
    static let navigation: CGFloat = 44
    /// A large title, below them.
    static let largeTitle: CGFloat = 52
    /// The bar of a search, below the title.
    static let search: CGFloat = 52
    /// The choice of where to search, below that.
    static let scopes: CGFloat = 44
    /// The room above a navigation bar in a sheet.
    static let sheetTop: CGFloat = 6
    /// A bar of buttons at the bottom.
    static let toolbar: CGFloat = 44
    /// A bar of tabs.
    static let tabs: CGFloat = 49
}

extension UIViewController {
    /// Whether the controller is shown as a sheet, which begins below the bar of the device.
    var isSheet: Bool {
        presenter != nil && container == nil && modalPresentationStyle.isSheet
    }

    func changedBars() {
        viewIfLoaded?.setNeedsDisplay()
    }

    /// Tells the app where bars cover another part of the view than before.
    func tellCovered() {
        let covered = covered(isResting: false)
        guard covered != lastCovered else { return }
        lastCovered = covered
        viewSafeAreaInsetsDidChange()
    }

    /// Returns what is covered of the view; while nothing is scrolled, where `isResting` is set.
    func covered(isResting: Bool) -> UIEdgeInsets {
        let (bars, more) = (coveredByBars(isResting: isResting), additionalSafeAreaInsets)
        return UIEdgeInsets(
            top: bars.top + more.top,
            left: bars.left + more.left,
            bottom: bars.bottom + more.bottom,
            right: bars.right + more.right
        )
    }

    private func coveredByBars(isResting: Bool) -> UIEdgeInsets {
        if let navigation = parent as? UINavigationController {
            return navigation.covered(of: self, isResting: isResting)
        }
        if let tabs = parent as? UITabBarController { return tabs.covered(of: self, isResting: isResting) }
        if parent != nil { return viewIfLoaded?.coveredInSuperview(isResting: isResting) ?? .zero }
        guard var safeArea = hostWindow?.screen?.environment.safeArea else { return .zero }
        if isSheet { safeArea.top = 0 }
        return safeArea
    }

    /// Returns whether the view extends under a bar at an edge.
    func extendsUnder(_ edge: UIRectEdge, isTranslucent: Bool) -> Bool {
        edgesForExtendedLayout.contains(edge) && (isTranslucent || extendedLayoutIncludesOpaqueBars)
    }

    /// The scroll view that begins at an edge of the view, whose content goes on under the bar there.
    func scrollView(at edge: UIRectEdge) -> UIScrollView? {
        viewIfLoaded?.scrollView(at: edge)
    }
}

extension UINavigationController {
    /// Returns whether the content goes on under the bar: one that shrinks with its title always lies over it.
    func extendsUnderBar(_ child: UIViewController) -> Bool {
        guard !isNavigationBarHidden else { return false }
        let shrinks = drawsLargeTitle && child.scrollView(at: .top) != nil
        if shrinks, child.edgesForExtendedLayout.contains(.top) { return true }
        return child.extendsUnder(.top, isTranslucent: navigationBar.letsContentThrough)
    }

    /// The room above the bar.
    var roomAboveBar: CGFloat { isSheet ? BarHeight.sheetTop : covered(isResting: true).top }

    /// Returns the height of the large title: as long as nothing is scrolled, or now.
    func largeTitleHeight(isResting: Bool) -> CGFloat {
        guard drawsLargeTitle else { return 0 }
        guard !isResting, let top = topViewController, let scroll = top.scrollView(at: .top) else {
            return BarHeight.largeTitle
        }
        return max(BarHeight.largeTitle - max(scroll.scrolled, 0), 0)
    }

    /// The height of the bar of a search.
    private var searchHeight: CGFloat {
        guard let search = topViewController?.navigationItem.searchController else { return 0 }
        return BarHeight.search + (search.searchBar.showsScopeBar ? BarHeight.scopes : 0)
    }

    /// Returns the height of the bar, with the room above it: as long as nothing is scrolled, or now.
    func barHeight(isResting: Bool) -> CGFloat {
        roomAboveBar + BarHeight.navigation + largeTitleHeight(isResting: isResting) + searchHeight
    }

    /// The height of the toolbar, with the room below it.
    var toolbarHeight: CGFloat { BarHeight.toolbar + covered(isResting: true).bottom }

    fileprivate func covered(of child: UIViewController, isResting: Bool) -> UIEdgeInsets {
        var insets = covered(isResting: isResting)
        if !isToolbarHidden { insets.bottom = extendsUnderBar(child) ? toolbarHeight : 0 }
        guard !isNavigationBarHidden else { return insets }
        insets.top = extendsUnderBar(child) ? barHeight(isResting: isResting) : 0
        return insets
    }
}

extension UITabBarController {
    /// Whether a controller that was pushed in the chosen tab has the bar hidden.
    var hidesBar: Bool {
        let pushed = (selectedViewController as? UINavigationController)?.viewControllers.dropFirst() ?? []
        return pushed.contains(where: \.hidesBottomBarWhenPushed)
    }

    /// Returns whether the content of a tab goes on under the bar.
    func extendsUnderBar(_ child: UIViewController) -> Bool {
        let content = (child as? UINavigationController)?.topViewController ?? child
        return content.extendsUnder(.bottom, isTranslucent: tabBar.letsContentThrough)
    }

    fileprivate func covered(of child: UIViewController, isResting: Bool) -> UIEdgeInsets {
        var insets = covered(isResting: isResting)
        guard !hidesBar else { return insets }
        insets.bottom = extendsUnderBar(child) ? insets.bottom + BarHeight.tabs : 0
        return insets
    }
}
