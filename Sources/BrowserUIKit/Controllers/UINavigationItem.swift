/// Is a button in a bar.
@MainActor
open class UIBarButtonItem {
    /// Names a button that the system knows.
    public enum SystemItem: Int, Sendable {
        /// Done.
        case done = 0
        /// Cancel.
        case cancel = 1
        /// Edit.
        case edit = 2
        /// Save.
        case save = 3
        /// Refresh.
        case refresh = 13
        /// Close.
        case close = 24
    }

    /// The title; `nil` for a button of the system.
    open var title: String?
    /// The image.
    ///
    /// The default is none.
    open var image: UIImage?
    /// Whether the button can be used.
    ///
    /// The default is `true`.
    open var isEnabled = true
    /// What a tap does.
    open var primaryAction: UIAction?
    /// The name for people who do not see it.
    open var accessibilityLabel: String?
    let systemItem: SystemItem?

    /// Creates a button that the system knows.
    public init(systemItem: SystemItem, primaryAction: UIAction? = nil) {
        self.systemItem = systemItem
        self.primaryAction = primaryAction
    }

    /// Creates a button with a title or an image.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
        systemItem = nil
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
        self.primaryAction = primaryAction
    }

    func text(in language: String?) -> String {
        switch systemItem {
        case .done: SystemStrings.done.text(in: language)
        case .cancel: SystemStrings.cancel.text(in: language)
        case .edit: SystemStrings.edit.text(in: language)
        case .save: SystemStrings.save.text(in: language)
        case .refresh: SystemStrings.refresh.text(in: language)
        case .close: SystemStrings.close.text(in: language)
        case nil: title ?? ""
        }
    }

    var isProminent: Bool { systemItem == .done || systemItem == .save }
}

/// Holds what a navigation bar shows for one controller.
@MainActor
open class UINavigationItem {
    weak var controller: UIViewController?
    private var ownTitle: String?

    /// The title.
    ///
    /// The default is that of the controller.
    open var title: String? {
        get { ownTitle ?? controller?.title }
        set {
            ownTitle = newValue
            changed()
        }
    }
    /// The buttons at the end, from the edge inwards.
    open var rightBarButtonItems: [UIBarButtonItem]? { didSet { changed() } }
    /// The buttons at the start, from the edge inwards.
    open var leftBarButtonItems: [UIBarButtonItem]? { didSet { changed() } }
    /// The button at the end.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }
    /// The button at the start.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }
    /// What the button that leads back here says.
    ///
    /// The default is the title.
    open var backButtonTitle: String? { didSet { changed() } }
    /// Whether there is no button that leads back.
    ///
    /// The default is `false`.
    open var hidesBackButton = false { didSet { changed() } }

    /// Creates an item with a title.
    public init(title: String) {
        ownTitle = title.isEmpty ? nil : title
    }

    private func changed() {
        controller?.navigationController?.viewIfLoaded?.setNeedsDisplay()
    }
}

/// Words that the system brings.
enum SystemStrings: String {
    case done, cancel, edit, save, refresh, close, back, delete, increment, decrement

    func text(in language: String?) -> String {
        let japanese: [SystemStrings: String] = [
            .done: "完了", .cancel: "キャンセル", .edit: "編集", .save: "保存", .refresh: "更新", .close: "閉じる",
            .back: "戻る", .delete: "削除",
            .increment: "増やす", .decrement: "減らす",
        ]
        if language?.hasPrefix("ja") == true, let text = japanese[self] { return text }
        return rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
}
