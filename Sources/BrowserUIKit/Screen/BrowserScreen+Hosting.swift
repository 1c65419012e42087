extension BrowserScreen: ViewHost {
    /// The tab whose app runs now.
    static var current: BrowserScreen? { UIScreen.current as? BrowserScreen }

    var rootOwner: (any ViewOwner)? { window.rootViewController }

    var isConnected: Bool { send != nil }
}
