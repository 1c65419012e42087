extension BrowserScreen: ViewHost {
    /// The tab whose app runs now.
    static var current: BrowserScreen? { UIScreen.current as? BrowserScreen }

    var isConnected: Bool { send != nil }
}
