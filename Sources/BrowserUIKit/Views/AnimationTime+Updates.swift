extension AnimationTime {
    /// The time for which changes of rows and items are shown, in seconds.
    private static let updates: TimeInterval = 0.3

    /// Calls back when changes of rows or items that were just made have been shown.
    static func afterUpdates(_ completion: ((Bool) -> Void)?) {
        guard let completion else { return }
        guard UIView.areAnimationsEnabled else { return completion(true) }
        wait(updates) { completion(true) }
    }
}
