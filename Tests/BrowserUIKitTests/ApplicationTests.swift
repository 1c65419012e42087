import Foundation
import Testing

@testable import BrowserUIKit

/// Keeps what it is told, and makes a window where it is asked to.
private final class Delegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var calls: [String] = []
    var makesWindow = false

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("launched \(UIApplication.shared === application)")
        guard makesWindow else { return true }
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = Named("Launched")
        window?.makeKeyAndVisible()
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        calls.append("configuration")
        return UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func applicationDidBecomeActive(_ application: UIApplication) { calls.append("active") }
    func applicationWillTerminate(_ application: UIApplication) { calls.append("terminate") }
}

private final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var calls: [String] = []

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        calls.append("connect \(connectionOptions.urlContexts.count)")
        window = UIWindow(windowScene: windowScene)
        window?.rootViewController = Named("Scene")
        window?.makeKeyAndVisible()
    }

    func sceneDidBecomeActive(_ scene: UIScene) { calls.append("active") }
    func sceneDidDisconnect(_ scene: UIScene) { calls.append("gone") }
}

private final class Named: UIViewController {
    private(set) var appearances: [String] = []

    init(_ name: String) {
        super.init(nibName: nil, bundle: nil)
        title = name
    }

    required init?(coder: NSCoder) { nil }

    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }

    override func viewDidLoad() {
        let label = UILabel()
        label.text = title
        label.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(label)
    }

    override func viewDidAppear(_ animated: Bool) { appearances.append("appeared") }
    override func viewDidDisappear(_ animated: Bool) { appearances.append("disappeared") }
}

@MainActor
@Suite("An app with delegates")
struct ApplicationTests {
    @Test("without scenes shows the window that it makes when it launches")
    func launch() throws {
        let delegate = Delegate()
        delegate.makesWindow = true
        let screen = BrowserScreen(delegate: delegate)
        #expect(delegate.calls == ["launched true", "active"])
        #expect(screen.window === delegate.window && delegate.window?.isKeyWindow == true)
        let root = try #require(screen.window.rootViewController as? Named)
        #expect(root.appearances == ["appeared"] && root.view.window === screen.window)
        #expect(screen.application.statusBarStyle == .lightContent)
        screen.close()
        #expect(delegate.calls.last == "terminate" && root.appearances == ["appeared", "disappeared"])
        #expect(screen.application.applicationState == .background)
    }

    @Test("with scenes lets the delegate of the scene make the window")
    func scenes() throws {
        let (delegate, sceneDelegate) = (Delegate(), SceneDelegate())
        let screen = BrowserScreen(delegate: delegate, sceneDelegate: sceneDelegate)
        #expect(delegate.calls == ["launched true", "configuration"])
        #expect(sceneDelegate.calls == ["connect 0", "active"])
        #expect(screen.window.rootViewController?.title == "Scene")
        let scene = try #require(UIApplication.shared.connectedScenes.first as? UIWindowScene)
        #expect(scene === screen.scene && scene.windows.first === screen.window && scene.keyWindow === screen.window)
        #expect(scene.interfaceOrientation == .portrait && scene.session.scene === scene)
        screen.close()
        #expect(sceneDelegate.calls.last == "gone" && scene.activationState == .unattached)
    }

    @Test("may show another window later, and the page gets all of it")
    func otherWindow() throws {
        let first = Named("First")
        let page = Page { first }
        let window = UIWindow(frame: .zero)
        window.rootViewController = Named("Second")
        #expect(!window.isKeyWindow)
        window.makeKeyAndVisible()
        page.screen.drawIfNeeded()
        #expect(page.texts.contains("Second") && !page.texts.contains("First"))
        #expect(first.appearances == ["appeared", "disappeared"])
        #expect(page.elements[window.nodeID] != nil)
        let other = Page { UIViewController() }
        other.screen.show(window)
        page.screen.drawIfNeeded()
        #expect(!page.texts.contains("Second") && window.screen === other.screen)
    }

    @Test("has one application for each tab, whose responders end at the delegate")
    func tabs() {
        let (one, two) = (Delegate(), Delegate())
        one.makesWindow = true
        two.makesWindow = true
        let first = BrowserScreen(delegate: one)
        let second = BrowserScreen(delegate: two)
        #expect(first.application !== second.application)
        #expect(UIApplication.shared === second.application)
        first.receive(Data("{}".utf8))
        #expect(UIApplication.shared === first.application)
        var chain: [UIResponder] = []
        var next: UIResponder? = first.window.rootViewController?.view
        while let responder = next, chain.count < 10 {
            chain.append(responder)
            next = responder.next
        }
        #expect(chain.last === one && chain.contains { $0 === first.scene })
    }

    @Test("opens what a browser can be trusted with")
    func opening() throws {
        let page = Page { UIViewController() }
        let application = page.screen.application
        let address = try #require(URL(string: "https://shop.example/a"))
        let script = try #require(URL(string: "javascript:alert(1)"))
        #expect(application.canOpenURL(address) && !application.canOpenURL(script))
        let results = Results()
        application.open(address) { results.values.append($0) }
        application.open(script) { results.values.append($0) }
        application.open(address, options: [.universalLinksOnly: true]) { results.values.append($0) }
        #expect(results.values == [true, false, false] && page.opened == ["https://shop.example/a"])
    }

    @MainActor
    private final class Results {
        var values: [Bool] = []
    }
}
