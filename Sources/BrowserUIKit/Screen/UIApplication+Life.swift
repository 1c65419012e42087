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
            delegate.applicationDidBecomeActive(self)
        }
        applicationState = .active
        NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
    }

    private func connect(_ scene: UIWindowScene, to sceneDelegate: any UIWindowSceneDelegate) {
        let options = UIScene.ConnectionOptions()
        _ = delegate?.application(self, configurationForConnecting: scene.session, options: options)
        scene.delegate = sceneDelegate
        sceneDelegate.scene(scene, willConnectTo: scene.session, options: options)
        sceneDelegate.window?.makeKeyAndVisible()
        sceneDelegate.sceneWillEnterForeground(scene)
        sceneDelegate.sceneDidBecomeActive(scene)
    }

    /// Tells the delegates that the tab is closed.
    func terminate(in scene: UIWindowScene) {
        applicationState = .background
        scene.move(to: .unattached)
        if let sceneDelegate = scene.delegate {
            sceneDelegate.sceneWillResignActive(scene)
            sceneDelegate.sceneDidEnterBackground(scene)
            sceneDelegate.sceneDidDisconnect(scene)
        } else {
            delegate?.applicationWillResignActive(self)
            delegate?.applicationDidEnterBackground(self)
        }
        delegate?.applicationWillTerminate(self)
    }
}
