/// Remembers that a view was taken for another place, and under which name the page knew it before.
struct ReuseNaming {
    /// Whether the view may show something else than when it was last drawn.
    var isReused = false
    /// The name before the present one; `nil` as long as there was none.
    var replaced: String?
}

// Views that are used again: a page that lags behind may still show what they showed before.
extension UIView {
    private static var lastNumber = 0

    static func newName() -> String {
        lastNumber += 1
        return "v\(lastNumber)"
    }

    /// Draws a view that is used again: where it shows something else than before, its elements get new names.
    ///
    /// What the user does with the drawing of before meets nothing then, in place of what the view shows by now. Where
    /// it shows the same, names stay, and nothing is sent.
    func renderReused(_ drawing: Drawing) -> String {
        let id = renderRenamed(drawing)
        // The page moves the focus from the element before to this one.
        if let replaced = naming.replaced { drawing.nodes[id]?.attributes["data-replaces"] = replaced }
        return id
    }

    private func renderRenamed(_ drawing: Drawing) -> String {
        guard naming.isReused, let shown = screen?.shown else { return render(drawing) }
        naming.isReused = false
        let trial = Drawing()
        let id = render(trial)
        if trial.nodes.allSatisfy({ $0 == id ? $1.showsSame(as: shown[$0]) : $1 == shown[$0] }) {
            drawing.add(trial)
            return id
        }
        for (name, view) in trial.views {
            // The page has gone there already, and a new element would have it do so again.
            let request = trial.nodes[name]?.attributes["data-focus"]
            if request == shown[name]?.attributes["data-focus"] { view.accessibilityFocus = 0 }
            view.nodeID = UIView.newName()
        }
        naming.replaced = id
        return render(drawing)
    }
}

extension Node {
    /// Returns whether an element shows what another one shows, wherever it lies: a list adds its place later.
    fileprivate func showsSame(as other: Node?) -> Bool {
        guard let other, tag == other.tag, text == other.text, children == other.children else { return false }
        return content == other.content
    }

    private var content: [String: String] { attributes.filter { $0.key != "class" && $0.key != "data-replaces" } }
}
