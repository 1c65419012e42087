/// Collects the elements of one drawing of a screen.
final class Drawing {
    var nodes: [String: Node] = [:]
    var images: [String: UIImage] = [:]
    /// Ids of all views that were drawn, for events to find them.
    var views: [String: UIView] = [:]

    func register(_ image: UIImage) -> String {
        images[image.digest] = image
        return "image/\(image.digest)"
    }

    /// Takes over all of another drawing.
    func add(_ other: Drawing) {
        nodes.merge(other.nodes) { $1 }
        images.merge(other.images) { $1 }
        views.merge(other.views) { $1 }
    }

    func add(
        _ id: String,
        tag: String = "div",
        class name: String,
        text: String? = nil,
        children: [String] = []
    ) -> String {
        nodes[id] = Node(tag: tag, attributes: ["class": name], text: text, children: children)
        return id
    }
}
