// Layers in layers, which are drawn behind the subviews of the view.
extension CALayer {
    /// Puts a layer in front of all others in this one.
    public func addSublayer(_ layer: CALayer) {
        insertSublayer(layer, at: UInt32(clamping: layers.count))
    }

    /// Puts a layer at a place from the back.
    public func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        layer.removeFromSuperlayer()
        layers.insert(layer, at: min(Int(idx), layers.count))
        layer.superlayer = self
        changed()
    }

    /// Puts a layer behind another one.
    public func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        let index = layers.firstIndex { $0 === sibling } ?? 0
        insertSublayer(layer, at: UInt32(clamping: index))
    }

    /// Puts a layer in front of another one.
    public func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        let index = layers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? layers.count
        insertSublayer(layer, at: UInt32(clamping: index))
    }

    /// Takes the layer out of the one that it is in.
    public func removeFromSuperlayer() {
        superlayer?.changed()
        superlayer?.layers.removeAll { $0 === self }
        superlayer = nil
    }

    /// Asks for a new drawing of the view.
    public func setNeedsDisplay() {
        changed()
    }

    /// Asks for a new arrangement of the view.
    public func setNeedsLayout() {
        changed()
    }

    func changed() {
        if let view { return view.setNeedsDisplay() }
        CATransaction.note(self)
        superlayer?.changed()
    }

    /// Draws the layers in this one; returns their ids.
    func drawSublayers(_ id: String, size: CGSize, in drawing: Drawing) -> [String] {
        let fromBack = layers.enumerated().sorted {
            ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset)
        }
        return fromBack.compactMap { index, layer in
            layer.isHidden ? nil : layer.drawLayer("\(id).layer\(index)", outer: size, in: drawing)
        }
    }

    /// A layer without a frame of its own fills the one that it is in: the browser knows how large that is.
    private func drawLayer(_ id: String, outer: CGSize, in drawing: Drawing) -> String {
        var node = Node()
        node.attributes["class"] = "layer"
        if frame.isEmpty && picture == nil || frame.origin == .zero && frame.size == outer {
            node.style["inset"] = "0"
        } else {
            node.style["left"] = CSS.points(frame.minX)
            node.style["top"] = CSS.points(frame.minY)
            node.style["width"] = CSS.points(frame.width)
            node.style["height"] = CSS.points(frame.height)
        }
        if opacity < 1 { node.style["opacity"] = CSS.number(CGFloat(max(opacity, 0))) }
        if let transition { node.style["transition"] = transition }
        drawTransform(&node)
        drawContent(into: &node, id, in: drawing)
        drawing.nodes[id] = node
        return id
    }

    /// Draws what the class of the layer shows, its box and the layers in it.
    private func drawContent(into node: inout Node, _ id: String, in drawing: Drawing) {
        draw(into: &node)
        if let backgroundColor { node.style["background-color"] = backgroundColor.css }
        if let image { node.style["background-image"] = image }
        drawMask(on: &node)
        if let picture { node.children.append(draw(picture, "\(id).shape", in: drawing)) }
        node.children += drawSublayers(id, size: frame.size, in: drawing)
    }

    /// Draws what the layer of a view shows beyond its box, behind the subviews.
    func drawContent(_ node: inout Node, of view: UIView, in drawing: Drawing) {
        guard image != nil || mask != nil || picture != nil || !layers.isEmpty else { return }
        if let image { node.style["background-image"] = image }
        drawMask(on: &node)
        let shape = picture.map { draw($0, "\(view.nodeID).shape", in: drawing) }
        let behind = [shape].compactMap { $0 } + drawSublayers(view.nodeID, size: view.frame.size, in: drawing)
        node.children = behind + node.children
    }

    private func draw(_ picture: (image: UIImage, frame: CGRect), _ id: String, in drawing: Drawing) -> String {
        let image = picture.image.drawPicture(id, .scaleToFill, in: drawing)
        drawing.nodes[image]?.style.merge([
            "inset": "auto", "left": CSS.points(picture.frame.minX), "top": CSS.points(picture.frame.minY),
            "width": CSS.points(picture.frame.width), "height": CSS.points(picture.frame.height),
        ]) { $1 }
        return image
    }

    /// A mask is a shape or a gradient.
    private func drawMask(on node: inout Node) {
        if let shape = mask as? CAShapeLayer, let path = shape.path {
            let rule = shape.fillRule == .evenOdd ? "evenodd, " : ""
            node.style["clip-path"] = "path(\(rule)\"\(path.svg)\")"
        } else if let image = mask?.image {
            node.style["mask-image"] = image
        }
    }
}
