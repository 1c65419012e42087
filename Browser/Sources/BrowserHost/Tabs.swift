import BrowserUIKit
import Hummingbird

/// Keeps one app a tab: makes it when the tab connects first, and ends it some time after the tab has gone.
@MainActor
final class Tabs {
    /// The time by which an app outlives its page, so that a reload or a lost connection finds it again.
    static let patience = Duration.seconds(60)
    /// The maximum number of apps; beyond that the one without a page for longest goes.
    static let limit = 64

    private var tabs: [String: Tab] = [:]
    private let makeRoot: @MainActor () -> UIViewController
    /// Tells the time.
    private let now: @MainActor () -> ContinuousClock.Instant

    init(
        now: @escaping @MainActor () -> ContinuousClock.Instant = { .now },
        makeRoot: @escaping @MainActor () -> UIViewController
    ) {
        self.now = now
        self.makeRoot = makeRoot
    }

    /// Connects the page of a tab; `nil` when there are too many already.
    func connect(_ id: String, _ environment: BrowserEnvironment, page: String? = nil) -> Tab.Connection? {
        endAbandoned()
        if let tab = tabs[id] { return tab.connect(environment, page: page, now: now()) }
        guard makeRoom() else { return nil }
        let tab = Tab(environment: environment, now: now(), root: makeRoot)
        tabs[id] = tab
        return tab.connect(environment, page: page, now: now())
    }

    func disconnect(_ id: String, _ number: Int) {
        tabs[id]?.disconnect(number, now: now())
    }

    /// Hands a report of the page to its app; `false` when there is no such app or the report makes no sense.
    func receive(_ id: String, _ data: Data, from page: String? = nil) -> Bool {
        tabs[id]?.receive(data, from: page) ?? false
    }

    func image(_ id: String, named name: String) -> (bytes: Data, mediaType: String)? {
        tabs[id]?.screen.image(named: name)
    }

    private func endAbandoned() {
        let now = now()
        for (id, tab) in tabs where !tab.isConnected && now - tab.lastContact > Self.patience { end(id) }
    }

    private func makeRoom() -> Bool {
        guard tabs.count >= Self.limit else { return true }
        guard
            let oldest = tabs.filter({ !$0.value.isConnected }).min(by: { $0.value.lastContact < $1.value.lastContact })
        else { return false }
        end(oldest.key)
        return true
    }

    private func end(_ id: String) {
        tabs.removeValue(forKey: id)?.close()
    }
}
