import ContentCardsUI
import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// Lets the user be another person, and choose how the app looks.
final class SettingsController: UIViewController {
    private let shop: Shop
    private lazy var users = DemoUser.all.map { user in
        ChoiceRow(title: user.name, note: user.note, identifier: "user-\(user.id)") { [weak self] in
            self?.signIn(user.id)
        }
    }
    private let otherUser = UITextField()
    private let theme = UISegmentedControl(items: Preferences.Theme.allCases.map(\.title))
    private let priority = UITextField()
    private lazy var testCode = ChoiceRow(
        title: "Test code",
        note: "For test cards from the dashboard",
        identifier: "test-code-row"
    ) { [weak self] in self?.showTestCode() }
    private var shown: Preferences?

    init(shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Settings"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
        setUpFields()
        let sections = [
            SettingsSection(
                "Signed in as",
                rows: users + [ControlRow("Other", control: otherUser, room: 0)],
                footer: "The server decides for each user which cards come, and who is in a control group."
            ),
            SettingsSection("Appearance", rows: [ControlRow(nil, control: theme)]),
            SettingsSection(
                "Home page",
                rows: [ControlRow("Show first", control: priority, room: 0)],
                footer: "Tags or words of titles, separated by commas."
            ),
            SettingsSection("For the team", rows: [testCode]),
        ]
        layOut(UIStackView.column(sections, spacing: 28))
        shop.preferences.follow(self) { [weak self] in self?.show($0) }
    }

    private func setUpFields() {
        for field in [otherUser, priority] {
            field.autocapitalizationType = .none
            field.autocorrectionType = .no
            field.returnKeyType = .done
            field.textAlignment = .right
            field.adjustsFontForContentSizeCategory = true
            field.font = .preferredFont(forTextStyle: .body)
        }
        otherUser.placeholder = "User ID"
        otherUser.accessibilityIdentifier = "other-user"
        priority.placeholder = "camp, travel"
        priority.accessibilityIdentifier = "home-priority"
        theme.accessibilityIdentifier = "theme"
        otherUser.addAction(UIAction { [weak self] _ in self?.signInOther() }, for: .editingDidEnd)
        priority.addAction(UIAction { [weak self] _ in self?.changePriority() }, for: .editingDidEnd)
        theme.addAction(UIAction { [weak self] _ in self?.changeTheme() }, for: .valueChanged)
    }

    private func layOut(_ column: UIView) {
        let page = ScrollPage(column, top: 16, bottom: 32)
        view.fill(with: page)
    }

    /// Shows what has changed; a field that has not may be the one that is typed in.
    private func show(_ preferences: Preferences) {
        let before = shown
        shown = preferences
        for (row, user) in zip(users, DemoUser.all) { row.isChosen = user.id == preferences.user }
        if preferences.user != before?.user { showOther() }
        theme.selectedSegmentIndex = preferences.theme.rawValue
        if preferences.homePriority != before?.homePriority { priority.text = preferences.homePriority }
    }

    /// Shows who uses the app in the field, where it is none of those above it.
    private func showOther() {
        let user = shop.preferences.value.user
        otherUser.text = DemoUser.all.contains { $0.id == user } ? "" : user
    }

    /// Shows a code that a marketer types to send test cards to this device.
    private func showTestCode() {
        let screen = TestCodeViewController(source: shop.cards.client)
        navigationController?.pushViewController(screen, animated: true)
    }

    // MARK: Changing

    private func signIn(_ user: String) {
        guard user != shop.preferences.value.user else { return showOther() }
        Task { [weak self, shop] in
            // What is no user's ID makes way for the one that is used.
            if await !shop.signIn(user) { self?.showOther() }
        }
    }

    /// A keyboard adds spaces to what it completes.
    private func signInOther() {
        signIn((otherUser.text ?? "").trimmingCharacters(in: .whitespaces))
    }

    private func changeTheme() {
        shop.preferences.value.theme = Preferences.Theme(rawValue: theme.selectedSegmentIndex) ?? .system
    }

    private func changePriority() {
        shop.preferences.value.homePriority = priority.text ?? ""
    }
}
