import BrowserUIKit
import Hummingbird
import Logging

/// Serves an app made of `BrowserUIKit` views to browsers, each tab with an app of its own.
///
/// ```swift
/// try await BrowserHost(title: "Shop", port: 8090) { ShopController() }.run()
/// ```
public struct BrowserHost: Sendable {
    private let title: String
    private let hostname: String
    private let port: Int
    private let tabs: @MainActor @Sendable () -> Tabs

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - title: the name of the app, for the page.
    ///   - hostname: the address to listen on; 127.0.0.1 by default, since anyone who reaches it can use the app.
    ///   - port: the port; 8090 by default.
    ///   - root: makes the controller that a new tab shows.
    @MainActor
    public init(
        title: String,
        hostname: String = "127.0.0.1",
        port: Int = 8_090,
        root: @escaping @MainActor @Sendable () -> UIViewController
    ) {
        let tabs = Tabs(makeRoot: root)
        self.title = title
        self.hostname = hostname
        self.port = port
        self.tabs = { tabs }
    }

    /// Serves until the process is asked to end.
    public func run() async throws {
        let controller = TabController(tabs: await tabs(), page: try Page(title: title))
        let application = Application(
            router: controller.router(),
            configuration: .init(address: .hostname(hostname, port: port), serverName: nil),
            logger: Logger(label: "browser-host") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.runService()
    }
}
