/// Offers what can be done with something: present it.
///
/// Browsers offer to copy, to write a mail and a message, and what the app brings, as a sheet of actions.
open class UIActivityViewController: UIAlertController {
    /// A closure that is told which activity was chosen, whether it was done, what it returned, and what went wrong.
    public typealias CompletionWithItemsHandler =
        @MainActor (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) ->
        Void

    private let items: [Any]
    private let own: [UIActivity]
    /// The types of activities that are not offered.
    ///
    /// The default is that all is.
    open var excludedActivityTypes: [UIActivity.ActivityType]?
    /// Called when the user has chosen, or has chosen nothing.
    ///
    /// The default is none.
    open var completionWithItemsHandler: CompletionWithItemsHandler?

    /// Creates a sheet for items, with what the app brings.
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        items = activityItems
        own = applicationActivities ?? []
        super.init(title: nil, message: nil, preferredStyle: .actionSheet)
    }

    /// Creates a sheet from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        (items, own) = ([], [])
        super.init(coder: coder)
    }

    /// Makes the actions of the sheet.
    open override func viewDidLoad() {
        super.viewDidLoad()
        let language = traitCollection.preferredLanguages.first
        let offered: [(UIActivity.ActivityType, String, @MainActor () -> Bool)] = [
            (.copyToPasteboard, SystemStrings.copy.text(in: language), { [weak self] in self?.copyItems() ?? false }),
            (
                .mail, SystemStrings.mail.text(in: language),
                { [weak self] in self?.write(to: "mailto:?body=") ?? false }
            ),
            (
                .message, SystemStrings.message.text(in: language),
                { [weak self] in self?.write(to: "sms:?&body=") ?? false }
            ),
        ]
        for (type, title, action) in offered where !isExcluded(type) {
            addAction(UIAlertAction(title: title, style: .default) { [weak self] _ in self?.finish(type, action()) })
        }
        let given = items.map { resolved($0, for: nil) }
        for activity in own where !isExcluded(activity.activityType) && activity.canPerform(withActivityItems: given) {
            addAction(
                UIAlertAction(title: activity.activityTitle ?? "", style: .default) { [weak self] _ in
                    self?.run(activity)
                }
            )
        }
        addAction(
            UIAlertAction(title: SystemStrings.cancel.text(in: language), style: .cancel) { [weak self] _ in
                self?.finish(nil, false)
            }
        )
    }

    func finish(_ type: UIActivity.ActivityType?, _ isDone: Bool) {
        completionWithItemsHandler?(type, isDone, nil, nil)
    }

    private func isExcluded(_ type: UIActivity.ActivityType?) -> Bool {
        type.map { excludedActivityTypes?.contains($0) ?? false } ?? false
    }

    private func resolved(_ item: Any, for type: UIActivity.ActivityType?) -> Any {
        guard let source = item as? any UIActivityItemSource else { return item }
        return source.activityViewController(self, itemForActivityType: type)
            ?? source.activityViewControllerPlaceholderItem(self)
    }

    /// The texts and addresses among the items, a line each.
    private func text(for type: UIActivity.ActivityType) -> String {
        let lines = items.map { resolved($0, for: type) }.compactMap { item -> String? in
            (item as? String) ?? (item as? URL)?.absoluteString ?? (item as? NSAttributedString)?.string
        }
        return lines.joined(separator: "\n")
    }

    private func copyItems() -> Bool {
        let pasteboard = UIPasteboard.general
        let text = text(for: .copyToPasteboard)
        if !text.isEmpty {
            pasteboard.string = text
        } else if let image = items.lazy.compactMap({ $0 as? UIImage }).first {
            pasteboard.image = image
        } else {
            return false
        }
        return true
    }

    private func write(to address: String) -> Bool {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let text = text(for: address.hasPrefix("mailto") ? .mail : .message)
        guard let body = text.addingPercentEncoding(withAllowedCharacters: allowed),
            let url = URL(string: address + body)
        else { return false }
        return UIScreen.current?.open(url) ?? false
    }

    /// The sheet holds itself until the activity is over, which calls back.
    private func run(_ activity: UIActivity) {
        activity.prepare(withActivityItems: items.map { resolved($0, for: activity.activityType) })
        activity.sheet = self
        running = (self, activity)
        guard let more = activity.activityViewController,
            let controller = UIScreen.current?.rootOwner as? UIViewController
        else { return activity.perform() }
        controller.frontmost.present(more, animated: true)
    }

    private var running: (UIActivityViewController, UIActivity)?
}
