/// An animation that a layer plays.
struct RunningAnimation {
    /// The name by which its end is waited for: the same animation may be added again before that.
    let name: String
    let key: String?
    let animation: CAAnimation
    let parts: [(name: String, animation: PageAnimation)]
    /// Whether its end was told, and the layer keeps it nevertheless.
    var isOver = false
}

extension CALayer {
    /// Plays an animation, in place of the one with the same key.
    ///
    /// The animation isn't copied: changes after this aren't seen.
    public func add(_ anim: CAAnimation, forKey key: String?) {
        if let key { removeAnimation(forKey: key) }
        let span = AnimationSpan(of: anim, now: CACurrentMediaTime())
        let parts = anim.parts(on: self, timing: span).map { (name: PageAnimation.newName(), animation: $0) }
        let name = PageAnimation.newName()
        running.append(RunningAnimation(name: name, key: key, animation: anim, parts: parts))
        changed()
        anim.delegate?.animationDidStart(anim)
        guard let total = span.total else { return }
        CATransaction.wait(for: total)
        AnimationTime.wait(total) { [weak self] in self?.finish(name) }
    }

    private func finish(_ name: String) {
        guard let index = running.firstIndex(where: { $0.name == name }) else { return }
        let anim = running[index].animation
        if anim.isRemovedOnCompletion {
            running.remove(at: index)
            changed()
        } else {
            running[index].isOver = true
        }
        anim.delegate?.animationDidStop(anim, finished: true)
    }

    /// Ends the animation with a key.
    public func removeAnimation(forKey key: String) {
        end { $0.key == key }
    }

    /// Ends every animation, also by keyframes of the view.
    public func removeAllAnimations() {
        end { _ in true }
        if let view { view.screen?.stopAll(on: view.nodeID) }
    }

    /// Ends every animation of the layer, and of those in it, once nobody sees them any more.
    func endUnseenAnimations() {
        end { _ in true }
        for layer in layers { layer.endUnseenAnimations() }
    }

    private func end(where isMeant: (RunningAnimation) -> Bool) {
        let ended = running.filter(isMeant)
        guard !ended.isEmpty else { return }
        running.removeAll(where: isMeant)
        changed()
        for one in ended where !one.isOver { one.animation.delegate?.animationDidStop(one.animation, finished: false) }
    }

    /// Returns the animation with a key, while the layer plays it.
    public func animation(forKey key: String) -> CAAnimation? { running.first { $0.key == key }?.animation }

    /// Returns the keys of the animations that the layer plays; `nil` where there are none.
    public func animationKeys() -> [String]? {
        let keys = running.compactMap(\.key)
        return keys.isEmpty ? nil : keys
    }
}

/// Shows the changes of layers that are made between its begin and its commit together.
@preconcurrency @MainActor
open class CATransaction: NSObject {
    private struct Open {
        var duration: TimeInterval = 0.25
        var function: CAMediaTimingFunction?
        var disablesActions = false
        var completion: (() -> Void)?
        /// The seconds until all that it has begun is over.
        var end: TimeInterval = 0
    }

    private static var stack: [Open] = []

    /// Begins a transaction, inside of the one that is open.
    ///
    /// Changes of layers without a view are shown gradually until it is committed.
    public class func begin() {
        UIScreen.drawPending()
        var next = Open()
        if let outer = stack.last {
            (next.duration, next.function, next.disablesActions) =
                (outer.duration, outer.function, outer.disablesActions)
        }
        stack.append(next)
    }

    /// Ends the transaction that was begun last.
    public class func commit() {
        guard let done = stack.popLast() else { return }
        wait(for: done.end)
        guard let completion = done.completion else { return }
        if done.end > 0 { AnimationTime.wait(done.end) { completion() } } else { completion() }
    }

    /// Shows what was changed.
    public class func flush() {
        UIScreen.drawPending()
    }

    /// Returns the number of seconds that animations without a duration of their own take.
    public class func animationDuration() -> TimeInterval { stack.last?.duration ?? 0.25 }

    /// Sets the number of seconds that animations without a duration of their own take; outside of a transaction,
    /// nothing changes.
    public class func setAnimationDuration(_ dur: TimeInterval) {
        change { $0.duration = dur.isFinite ? max(dur, 0) : 0 }
    }

    /// Returns the curve of gradual changes.
    public class func animationTimingFunction() -> CAMediaTimingFunction? { stack.last?.function }

    /// Sets the curve of gradual changes.
    public class func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        change { $0.function = function }
    }

    /// Returns whether changes are shown at once.
    public class func disableActions() -> Bool { stack.last?.disablesActions ?? false }

    /// Sets whether changes are shown at once.
    public class func setDisableActions(_ flag: Bool) {
        change { $0.disablesActions = flag }
    }

    /// Returns what is called when everything that the transaction has begun is over.
    public class func completionBlock() -> (() -> Void)? { stack.last?.completion }

    /// Sets what is called when everything that the transaction has begun is over; set it before that.
    public class func setCompletionBlock(_ block: (() -> Void)?) {
        change { $0.completion = block }
    }

    private class func change(_ body: (inout Open) -> Void) {
        guard !stack.isEmpty else { return }
        body(&stack[stack.count - 1])
    }

    /// Has the transaction end no sooner than in some seconds.
    class func wait(for seconds: TimeInterval) {
        change { $0.end = max($0.end, seconds) }
    }

    /// Shows the changes of a layer without a view gradually, where a transaction is open.
    class func note(_ layer: CALayer) {
        guard let now = stack.last, !now.disablesActions, now.duration > 0 else { return }
        let timing = now.function?.css ?? "cubic-bezier(0.25,0.1,0.25,1)"
        let transition = "all \(CSS.number(now.duration))s \(timing)"
        layer.transition = transition
        wait(for: now.duration)
        AnimationTime.wait(now.duration) { [weak layer] in
            guard layer?.transition == transition else { return }
            layer?.transition = nil
            layer?.changed()
        }
    }
}
