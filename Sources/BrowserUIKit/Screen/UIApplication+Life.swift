extension UIApplication {
    /// Launches an app, connects its scene, and shows the window that one of them has made.
    func launch(
        _ delegate: any UIApplicationDelegate,
        scene sceneDelegate: (any UIWindowSceneDelegate)?,
        in scene: UIWindowScene
    ) {
        self.delegate = delegate
        applicationState = .inactive
        _ = delegate.application(self, willFinishLaunchingWithOptions: nil)
        _ = delegate.application(self, didFinishLaunchingWithOptions: nil)
        NotificationCenter.default.post(name: Self.didFinishLaunchingNotification, object: self)
        if let sceneDelegate {
            connect(scene, to: sceneDelegate)
        } else {
            delegate.window?.makeKeyAndVisible()
            applicationState = .active
            delegate.applicationDidBecomeActive(self)
        }
        NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
    }

    private func connect(_ scene: UIWindowScene, to sceneDelegate: any UIWindowSceneDelegate) {
        let options = UIScene.ConnectionOptions()
        _ = delegate?.application(self, configurationForConnecting: scene.session, options: options)
        scene.delegate = sceneDelegate
        sceneDelegate.scene(scene, willConnectTo: scene.session, options: options)
        sceneDelegate.window?.makeKeyAndVisible()
        sceneDelegate.sceneWillEnterForeground(scene)
        applicationState = .active
        sceneDelegate.sceneDidBecomeActive(scene)
    }

    /// Tells the delegates that the tab is closed.
    func terminate(in scene: UIWindowScene) {
        enterBackground(with: scene)
        scene.move(to: .unattached)
        scene.delegate?.sceneDidDisconnect(scene)
        delegate?.applicationWillTerminate(self)
        NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
    }

    /// Is in the background while nobody can see the page, and in the foreground otherwise.
    func follow(_ environment: BrowserEnvironment, with scene: UIWindowScene) {
        if environment.isHidden { enterBackground(with: scene) } else { enterForeground(with: scene) }
    }

    /// Takes the app off the screen: the page that shows it is hidden or gone.
    private func enterBackground(with scene: UIWindowScene) {
        guard applicationState != .background else { return }
        if let sceneDelegate = scene.delegate {
            sceneDelegate.sceneWillResignActive(scene)
        } else {
            delegate?.applicationWillResignActive(self)
        }
        scene.move(to: .foregroundInactive)
        NotificationCenter.default.post(name: Self.willResignActiveNotification, object: self)
        applicationState = .background
        scene.move(to: .background)
        if let sceneDelegate = scene.delegate {
            sceneDelegate.sceneDidEnterBackground(scene)
        } else {
            delegate?.applicationDidEnterBackground(self)
        }
        NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
    }

    /// Brings the app back to the screen.
    private func enterForeground(with scene: UIWindowScene) {
        guard applicationState == .background else { return }
        if let sceneDelegate = scene.delegate {
            sceneDelegate.sceneWillEnterForeground(scene)
        } else {
            delegate?.applicationWillEnterForeground(self)
        }
        scene.move(to: .foregroundInactive)
        NotificationCenter.default.post(name: Self.willEnterForegroundNotification, object: self)
        applicationState = .active
        scene.move(to: .foregroundActive)
        if let sceneDelegate = scene.delegate {
            sceneDelegate.sceneDidBecomeActive(scene)
        } else {
            delegate?.applicationDidBecomeActive(self)
        }
        NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
    }
}
