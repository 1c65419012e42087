import Foundation
import Testing

@testable import BrowserUIKit

/// Keeps what delegates and observers are told, with the state at that time.
@MainActor
private final class Notes {
    var lines: [String] = []

    /// Returns what was noted, and begins again.
    func read() -> [String] {
        defer { lines = [] }
        return lines
    }
}

private final class Launched: UIResponder, UIApplicationDelegate {
    let notes: Notes
    var window: UIWindow?

    init(_ notes: Notes) {
        self.notes = notes
    }

    func applicationDidBecomeActive(_ application: UIApplication) { note("active", application) }
    func applicationWillResignActive(_ application: UIApplication) { note("resign", application) }
    func applicationDidEnterBackground(_ application: UIApplication) { note("background", application) }
    func applicationWillEnterForeground(_ application: UIApplication) { note("foreground", application) }
    func applicationWillTerminate(_ application: UIApplication) { note("terminate", application) }

    private func note(_ event: String, _ application: UIApplication) {
        notes.lines.append("\(event) \(application.applicationState)")
    }
}

private final class Connected: UIResponder, UIWindowSceneDelegate {
    let notes: Notes
    var window: UIWindow?

    init(_ notes: Notes) {
        self.notes = notes
    }

    func sceneDidBecomeActive(_ scene: UIScene) { note("scene active", scene) }
    func sceneWillResignActive(_ scene: UIScene) { note("scene resign", scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { note("scene background", scene) }
    func sceneWillEnterForeground(_ scene: UIScene) { note("scene foreground", scene) }
    func sceneDidDisconnect(_ scene: UIScene) { note("scene gone", scene) }

    private func note(_ event: String, _ scene: UIScene) { notes.lines.append("\(event) \(scene.activationState)") }
}

@MainActor
@Suite("An app whose page is hidden")
struct VisibilityTests {
    private let notes = Notes()

    private func show(_ isShown: Bool, _ screen: BrowserScreen) {
        screen.receive(Data(#"{"environment":{"hidden":\#(!isShown)},"events":[]}"#.utf8))
    }

    @Test("goes to the background and comes back as an app does, each once")
    func application() {
        let delegate = Launched(notes)
        let screen = BrowserScreen(delegate: delegate)
        #expect(notes.read() == ["active active"])
        show(false, screen)
        show(false, screen)
        #expect(notes.read() == ["resign active", "background background"])
        #expect(screen.application.applicationState == .background && screen.scene.activationState == .background)
        show(true, screen)
        show(true, screen)
        #expect(notes.read() == ["foreground background", "active active"])
        #expect(screen.application.applicationState == .active && screen.scene.activationState == .foregroundActive)
        show(false, screen)
        _ = notes.read()
        screen.close()
        #expect(notes.read() == ["terminate background"] && screen.scene.activationState == .unattached)
    }

    @Test("tells the delegate of the scene in place of that of the app")
    func scene() {
        let (delegate, sceneDelegate) = (Launched(notes), Connected(notes))
        let screen = BrowserScreen(delegate: delegate, sceneDelegate: sceneDelegate)
        _ = notes.read()
        show(false, screen)
        show(true, screen)
        let expected = [
            "scene resign foregroundActive", "scene background background", "scene foreground background",
            "scene active foregroundActive",
        ]
        #expect(notes.read() == expected)
        screen.close()
        let ends = [
            "scene resign foregroundActive", "scene background background", "scene gone unattached",
            "terminate background",
        ]
        #expect(notes.read() == ends)
    }

    @Test("posts the notifications of its scene and of itself, in that order, for its own objects")
    func notifications() {
        let screen = BrowserScreen { UIViewController() }
        let other = BrowserScreen { UIViewController() }
        let names: [(String, Notification.Name, AnyObject)] = [
            ("will deactivate", UIScene.willDeactivateNotification, screen.scene),
            ("scene background", UIScene.didEnterBackgroundNotification, screen.scene),
            ("scene foreground", UIScene.willEnterForegroundNotification, screen.scene),
            ("scene active", UIScene.didActivateNotification, screen.scene),
            ("will resign", UIApplication.willResignActiveNotification, screen.application),
            ("background", UIApplication.didEnterBackgroundNotification, screen.application),
            ("foreground", UIApplication.willEnterForegroundNotification, screen.application),
            ("active", UIApplication.didBecomeActiveNotification, screen.application),
        ]
        let observers = names.map { text, name, object in
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [notes] _ in
                MainActor.assumeIsolated { notes.lines.append(text) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        show(false, other)
        #expect(notes.read().isEmpty)
        show(false, screen)
        #expect(notes.read() == ["will deactivate", "will resign", "scene background", "background"])
        show(true, screen)
        #expect(notes.read() == ["scene foreground", "foreground", "scene active", "active"])
    }

    @Test("is in the background from the start where its tab was opened behind another one")
    func openedBehind() {
        var environment = BrowserEnvironment()
        environment.isHidden = true
        let screen = BrowserScreen(environment: environment, delegate: Launched(notes))
        #expect(screen.application.applicationState == .background)
        screen.change(to: BrowserEnvironment())
        #expect(screen.application.applicationState == .active)
    }
}
