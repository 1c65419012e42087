import BrowserUIKit

/// Follows two fingers, keys and a slider, and says what came of it: `kit-example --gestures` begins with it, which
/// `scripts/check-browser` uses.
final class GesturesExample: UIViewController, UIScrollViewDelegate {
    private let scaleLabel = UILabel()
    private let keyLabel = UILabel()
    private let endLabel = UILabel()
    private let slider = UISlider()
    private let map = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 160))
    private let box = UILabel()
    private var animator: UIViewPropertyAnimator?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let scroll = UIScrollView(frame: CGRect(x: 24, y: 170, width: 320, height: 160))
        scroll.maximumZoomScale = 3
        scroll.delegate = self
        scroll.contentSize = map.frame.size
        map.backgroundColor = .systemTeal
        scroll.addSubview(map)
        view.addSubview(scroll)
        let labels = [(scaleLabel, "Scale 1.0"), (keyLabel, "No key"), (endLabel, "Not ended")]
        for (index, label) in labels.enumerated() {
            label.0.text = label.1
            label.0.frame = CGRect(x: 24, y: 350 + CGFloat(index) * 30, width: 320, height: 24)
            view.addSubview(label.0)
        }
        box.text = "Box"
        box.frame = CGRect(x: 24, y: 460, width: 60, height: 60)
        box.backgroundColor = .systemOrange
        view.addSubview(box)
        slider.frame = CGRect(x: 24, y: 540, width: 320, height: 32)
        slider.addAction(UIAction { [weak self] _ in self?.steer() }, for: .valueChanged)
        view.addSubview(slider)
        addButton("Finish", at: 24) { $0.letGo(isReversed: false) }
        addButton("Reverse", at: 184) { $0.letGo(isReversed: true) }
        let (key, escape) = ("k", UIKeyCommand.inputEscape)
        addKeyCommand(UIKeyCommand(input: key, modifierFlags: .command, action: GesturesExample.tookCommand))
        addKeyCommand(UIKeyCommand(input: escape, modifierFlags: [], action: GesturesExample.tookEscape))
    }

    private func addButton(_ title: String, at x: CGFloat, _ body: @escaping @MainActor (GesturesExample) -> Void) {
        let button = UIButton(type: .system)
        button.setTitle(title, for: .normal)
        button.frame = CGRect(x: x, y: 600, width: 140, height: 44)
        button.addAction(
            UIAction { [weak self] _ in
                if let self { body(self) }
            },
            for: .touchUpInside
        )
        view.addSubview(button)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? { map }

    func scrollViewDidZoom(_ scrollView: UIScrollView) {
        scaleLabel.text = "Scale \((scrollView.zoomScale * 10).rounded() / 10)"
    }

    private func tookCommand() {
        keyLabel.text = "Command K"
    }

    private func tookEscape() {
        keyLabel.text = "Escape"
    }

    /// Shows the part of an animation at which the slider stands.
    private func steer() {
        let current = animator ?? makeAnimator()
        animator = current
        current.fractionComplete = CGFloat(slider.value)
    }

    private func makeAnimator() -> UIViewPropertyAnimator {
        let new = UIViewPropertyAnimator(duration: 0.4, curve: .linear) { [box] in
            box.alpha = 0.2
            box.frame.origin.x = 264
        }
        new.addCompletion { [weak self] position in
            self?.endLabel.text = position == .start ? "Ended at the start" : "Ended at the end"
            self?.animator = nil
        }
        return new
    }

    private func letGo(isReversed: Bool) {
        animator?.isReversed = isReversed
        animator?.startAnimation()
    }
}
