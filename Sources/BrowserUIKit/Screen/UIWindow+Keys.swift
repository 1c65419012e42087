extension UIWindow {
    /// The first responder for keys: the view that is typed into, or the controller in front.
    private var firstForKeys: UIResponder {
        if let typedInto = host?.typedInto { return typedInto }
        guard var controller = shownControllers.last else { return self }
        while let child = controller.drawnChildren.last { controller = child }
        return controller
    }

    private var chainCommands: [UIKeyCommand] {
        var found: [UIKeyCommand] = []
        var next: UIResponder? = firstForKeys
        while let responder = next {
            found += responder.keyCommands ?? []
            next = responder.next
        }
        return found
    }

    /// Tells the page which keys to report: those of commands in the chain of responders.
    func drawKeys(_ node: inout Node) {
        let keys = chainCommands.compactMap(\.keys)
        if !keys.isEmpty { node.attributes["data-keys"] = keys.joined(separator: " ") }
    }

    /// Does what the first command for keys says; returns whether there is one.
    func perform(keys: String) -> Bool {
        chainCommands.contains { $0.keys == keys && $0.perform(from: firstForKeys) }
    }
}
