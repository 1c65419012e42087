// The sizes of views that fill a window, or what the bars of a container leave of it: bars have fixed heights, so that
// these are known before the browser has laid anything out.
extension UIViewController {
    /// Makes the view, if that has not been done.
    public func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        if loadedView == nil { view = UIView() }
        loadedView?.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16)
        sizeLoadedView()
        viewDidLoad()
    }

    /// Gives a view that was just made the size of the screen, where no container of the app's own lays it out.
    private func sizeLoadedView() {
        guard let loadedView, loadedView.frame.isEmpty, !(loadedView is UIScrollView) else { return }
        if let size = roomForView {
            loadedView.fill(size)
        } else if parent == nil || parent is UINavigationController || parent is UITabBarController {
            loadedView.fill(UIScreen.main.bounds.size)
        }
    }

    /// Gives the view the room that the window or the container has for it now.
    ///
    /// What scrolls knows its size from the browser.
    func sizeView() {
        guard let loadedView else { return }
        if let superview = loadedView.superview {
            loadedView.follow(superview)
        } else if !(loadedView is UIScrollView), let size = roomForView {
            loadedView.fill(size)
        }
    }

    /// The room for the view: `nil` before there is a window, and in a container of the app's own, which lays it out.
    fileprivate var roomForView: CGSize? {
        if let navigation = parent as? UINavigationController { return navigation.room(for: self) }
        if let tabs = parent as? UITabBarController { return tabs.room(for: self) }
        guard parent == nil, let environment = hostWindow?.screen?.environment else { return nil }
        return isSheet ? sheet.room : CGSize(width: environment.width, height: environment.height)
    }
}

extension UISheetPresentationController {
    /// The room in the sheet; the page leaves some of a large screen around it.
    fileprivate var room: CGSize {
        let surroundings = environment
        let heights = heights
        let selected = heights[selection(among: heights)]
        let isLarge = surroundings.width >= 700 && surroundings.height >= 500
        let isWhole = selected.identifier == .large && heights.count == 1
        return CGSize(
            width: surroundings.width * (isLarge ? 0.84 : 1),
            height: isLarge && isWhole ? surroundings.height * 0.88 : selected.value + surroundings.safeArea.bottom
        )
    }
}

extension UINavigationController {
    fileprivate func room(for child: UIViewController) -> CGSize? {
        guard let size = roomForView, !extendsUnderBar(child) else { return roomForView }
        let bars = (isNavigationBarHidden ? 0 : barHeight(isResting: true)) + (isToolbarHidden ? 0 : toolbarHeight)
        return CGSize(width: size.width, height: max(size.height - bars, 0))
    }
}

extension UITabBarController {
    fileprivate func room(for child: UIViewController) -> CGSize? {
        guard let size = roomForView else { return nil }
        guard !hidesBar, !extendsUnderBar(child) else { return size }
        let bar = BarHeight.tabs + (hostWindow?.screen?.environment.safeArea.bottom ?? 0)
        return CGSize(width: size.width, height: max(size.height - bar, 0))
    }
}

extension UIView {
    /// Takes a room at the point 0, 0.
    fileprivate func fill(_ size: CGSize) {
        let room = CGRect(origin: .zero, size: size)
        if frame != room { UIView.performWithoutAnimation { frame = room } }
        isFilling = true
    }

    /// Stays as large as a superview whose size is known, where it has been: views of controllers do so by default.
    fileprivate func follow(_ superview: UIView) {
        guard superview.isFilling, translatesAutoresizingMaskIntoConstraints else { return }
        let hasNoFrame = frame.isEmpty && !(self is UIScrollView)
        if isFilling || hasNoFrame || frame == superview.bounds { fill(superview.bounds.size) }
    }
}
