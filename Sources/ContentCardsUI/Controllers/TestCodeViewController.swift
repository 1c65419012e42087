#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

/// Gives a screen codes by which the team sends test cards to this device.
///
/// `ContentCardsClient` is one.
public protocol TestCodeSource: Sendable {
    /// The current user; another one needs another code.
    var userID: String? { get }
    /// Asks for a code of the current user.
    func testCode() async throws(ContentCardsError) -> ContentCardsClient.TestCode
}

extension ContentCardsClient: TestCodeSource {}

/// Shows a code by which the team sends test cards to this device, and for how long it is valid.
///
/// Push or present it from a screen for your team, such as the app's settings. While it is visible it asks for another
/// code when one ends and when the user changes. Whoever sees the code can send test cards to the user, and nothing
/// else.
open class TestCodeViewController: UIViewController {
    /// The source of codes.
    public let source: any TestCodeSource
    /// Tells the time.
    public let clock: any ContentCardsClock
    /// Says what the code is for.
    public let purposeLabel = UILabel()
    /// Shows the code.
    public let codeLabel = UILabel()
    /// Says for how long the code is valid, or why there is none.
    public let statusLabel = UILabel()
    /// Asks for a code again.
    public let retryButton = UIButton(type: .system)

    private var state = TestCodeState()
    private var updates: Task<Void, Never>?

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - source: where codes come from, as a rule a `ContentCardsClient`.
    ///   - clock: tells the time; only tests need another.
    public init(source: any TestCodeSource, clock: any ContentCardsClock = SystemClock()) {
        self.source = source
        self.clock = clock
        super.init(nibName: nil, bundle: nil)
    }

    /// A screen needs a source, which a storyboard cannot give: this returns `nil`.
    public required init?(coder: NSCoder) {
        nil
    }

    deinit { updates?.cancel() }

    /// Lays out the labels.
    open override func viewDidLoad() {
        super.viewDidLoad()
        title = text(.testCode)
        view.backgroundColor = .systemGroupedBackground
        setUpLabels()
        setUpButton()
        layOut()
        show()
    }

    /// Asks for a code, and follows the time.
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        updates?.cancel()
        updates = Task { [weak self, clock] in
            // The screen isn't held while it waits: one whose scene ends is not told that it disappears.
            while await self?.update() == true {
                guard (try? await clock.sleep(for: 1)) != nil else { return }
            }
        }
    }

    /// Lets the code be.
    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        updates?.cancel()
    }

    // MARK: Updating

    /// Asks for a code where one is due, and shows what there is.
    ///
    /// - Returns: whether the screen still follows the time.
    private func update() async -> Bool {
        if state.needsCode(for: source.userID, at: clock.now) {
            state.request(for: source.userID)
            show()
            do throws(ContentCardsError) {
                let code = try await source.testCode()
                // A screen that was left and has come back waits for a code of its own.
                guard !Task.isCancelled else { return false }
                state.take(code)
            } catch {
                guard !Task.isCancelled else { return false }
                state.fail()
            }
        }
        show()
        return !Task.isCancelled
    }

    private func show() {
        codeLabel.text = state.code?.text ?? "····-····"
        codeLabel.alpha = state.code == nil ? 0.3 : 1
        codeLabel.isAccessibilityElement = state.code != nil
        // Letter by letter, since it is no word.
        codeLabel.accessibilityLabel = state.code.map { $0.text.map(String.init).joined(separator: " ") }
        retryButton.isHidden = !state.hasFailed
        switch (state.code, state.hasFailed) {
        case (_, true): statusLabel.text = text(.testCodeFailed)
        case (let code?, false):
            let time = TestCodeState.text(remaining: code.expiresAt.timeIntervalSince(clock.now))
            // characters: a text of the app
            statusLabel.text = text(.testCodeValid).replacingOccurrences(of: "{time}", with: time)
        case (nil, false): statusLabel.text = text(.loading)
        }
    }

    private func text(_ text: ContentCardsText) -> String { text.text(languages: traitCollection.languages) }

    // MARK: Layout

    private func setUpLabels() {
        for label in [purposeLabel, codeLabel, statusLabel] {
            label.textAlignment = .center
            label.numberOfLines = 0
        }
        purposeLabel.text = text(.testCodePurpose)
        purposeLabel.font = .preferredFont(forTextStyle: .body)
        statusLabel.font = .preferredFont(forTextStyle: .subheadline)
        statusLabel.textColor = .secondaryLabel
        statusLabel.accessibilityTraits = [.staticText, .updatesFrequently]
        for label in [purposeLabel, codeLabel, statusLabel] { label.adjustsFontForContentSizeCategory = true }
        let letters = UIFont.monospacedSystemFont(ofSize: 36, weight: .semibold)
        codeLabel.font = UIFontMetrics(forTextStyle: .largeTitle).scaledFont(for: letters)
        codeLabel.numberOfLines = 1
        codeLabel.adjustsFontSizeToFitWidth = true
        codeLabel.accessibilityIdentifier = "test-code"
    }

    private func setUpButton() {
        retryButton.setTitle(text(.retry), for: .normal)
        retryButton.titleLabel?.font = .preferredFont(forTextStyle: .body)
        retryButton.titleLabel?.adjustsFontForContentSizeCategory = true
        retryButton.addAction(
            UIAction { [weak self] _ in
                self?.state.retry()
                self?.show()
            },
            for: .touchUpInside
        )
    }

    private func layOut() {
        let stack = UIStackView(arrangedSubviews: [purposeLabel, codeLabel, statusLabel, retryButton] as [UIView])
        stack.axis = .vertical
        stack.spacing = 20
        let scroll = UIScrollView()
        scroll.alwaysBounceVertical = true
        view.addSubview(scroll)
        scroll.addSubview(stack)
        for view in [scroll, stack] { view.translatesAutoresizingMaskIntoConstraints = false }
        let (leading, trailing) = (
            stack.leadingAnchor.constraint(equalTo: scroll.leadingAnchor, constant: 24),
            stack.trailingAnchor.constraint(equalTo: scroll.trailingAnchor, constant: -24)
        )
        (leading.priority, trailing.priority) = (.defaultHigh, .defaultHigh)
        NSLayoutConstraint.activate([
            scroll.topAnchor.constraint(equalTo: view.topAnchor),
            scroll.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            scroll.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            scroll.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            stack.topAnchor.constraint(equalTo: scroll.topAnchor, constant: 40),
            stack.bottomAnchor.constraint(equalTo: scroll.bottomAnchor, constant: -40),
            stack.widthAnchor.constraint(lessThanOrEqualToConstant: 420),
            stack.widthAnchor.constraint(lessThanOrEqualTo: scroll.widthAnchor, constant: -48),
            stack.centerXAnchor.constraint(equalTo: scroll.centerXAnchor),
            leading, trailing,
        ])
    }
}
#endif
