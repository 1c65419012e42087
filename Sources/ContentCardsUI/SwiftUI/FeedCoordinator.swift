#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI
import UIKit

/// Gives the controller of a feed what the SwiftUI views around it say.
@MainActor
final class FeedCoordinator {
    private weak var controller: ContentCardsTableViewController?
    private var environment = EnvironmentValues()
    private var isRegistered = false
    private var (isLoaderSet, isUnreadHidden) = (false, false)
    private var placeholder: UIHostingController<AnyView>?

    private var settings: CardViewSettings { environment.cardViewSettings }

    /// Has a controller ask what the views say, before it shows anything.
    func connect(_ controller: ContentCardsTableViewController, _ environment: EnvironmentValues) {
        self.controller = controller
        self.environment = environment
        controller.hooks.cell = { [weak self] in self?.cell(at: $0, for: $1) }
        controller.hooks.opens = { [weak self] in self?.settings.tap?($0) ?? false }
        controller.hooks.asksApp = { [weak self] in self?.settings.tap != nil }
        controller.hooks.openURL = { [weak self] in self?.environment.openURL($0) }
        controller.hooks.placeholder = { [weak self] in self?.placeholder($0) }
        applySettings()
    }

    /// Takes what the views say now, and draws what depends on it.
    func update(_ environment: EnvironmentValues) {
        self.environment = environment
        applySettings()
        guard let controller, controller.isViewLoaded else { return }
        let visible = controller.tableView.visibleCells.compactMap { $0 as? ContentCardCell }
        let isOther = visible.contains { cell in
            guard let card = cell.shownCard else { return false }
            return (cell is StyledCardCell) != (drawing(of: card) != nil)
        }
        if isOther { return controller.reload() }
        for case let cell as StyledCardCell in visible { cell.redraw() }
        if placeholder != nil || settings.placeholder != nil { controller.updateStatus() }
    }

    /// Applies the settings of modifiers; what none has set is as `configure` has left it.
    private func applySettings() {
        guard let controller else { return }
        if settings.isUnreadHidden != isUnreadHidden {
            isUnreadHidden = settings.isUnreadHidden
            controller.disableUnreadIndicator = isUnreadHidden
        }
        if settings.imageLoader != nil || isLoaderSet {
            controller.imageLoader = settings.imageLoader
            isLoaderSet = settings.imageLoader != nil
        }
    }

    // MARK: Cells

    private func drawing(of card: ContentCard) -> CardStyles.Drawing? {
        guard card.isPresentable else { return nil }
        return environment.contentCardStyles.drawing(of: card, in: controller?.source.feed)
    }

    private func cell(at indexPath: IndexPath, for card: ContentCard) -> ContentCardCell? {
        guard let controller, let table = controller.tableView, drawing(of: card) != nil else { return nil }
        if !isRegistered { table.register(StyledCardCell.self, forCellReuseIdentifier: StyledCardCell.identifier) }
        isRegistered = true
        let made = table.dequeueReusableCell(withIdentifier: StyledCardCell.identifier, for: indexPath)
        guard let cell = made as? StyledCardCell else { return nil }
        cell.parent = controller
        cell.draw = { [weak self] in self?.view(of: $1, in: $0) ?? AnyView(EmptyView()) }
        return cell
    }

    private func view(of card: ContentCard, in cell: ContentCardCell) -> AnyView {
        guard let drawing = drawing(of: card) else { return AnyView(EmptyView()) }
        var shown = card
        shown.isViewed = cell.isViewed || cell.hideUnreadIndicator
        let configuration = ContentCardStyleConfiguration(card: card, shown: shown, attributes: cell.attributes)
        let delete: @MainActor () -> Void = { [weak cell] in if let cell { cell.onDelete?(cell) } }
        let onDelete = card.isDismissible ? delete : nil
        let traits = StyledCardTraits(card: card, onDelete: onDelete, isActionable: cell.isActionable)
        return surrounded(drawing(configuration).modifier(traits))
    }

    /// A view in UIKit has nothing of the environment, so all of it is handed on.
    private func surrounded(_ view: some View) -> AnyView {
        let scheme = controller?.enableDarkTheme == false ? ColorScheme.light : environment.colorScheme
        return AnyView(view.environment(\.colorScheme, scheme).environment(\.self, environment))
    }

    // MARK: Placeholder

    private func placeholder(_ status: FeedStatus) -> UIView? {
        guard let content = settings.placeholder, let reason = ContentCardsPlaceholder.Reason(status) else {
            return nil
        }
        let retry: @MainActor () -> Void = { [weak self] in self?.controller?.refreshCards(.manual) }
        let view = surrounded(content(ContentCardsPlaceholder(reason: reason, retry: retry)))
        if let placeholder {
            placeholder.rootView = view
        } else {
            let made = UIHostingController(rootView: view)
            made.view.backgroundColor = .clear
            controller?.addChild(made)
            made.didMove(toParent: controller)
            placeholder = made
        }
        return placeholder?.view
    }
}

extension ContentCardsPlaceholder.Reason {
    init?(_ status: FeedStatus) {
        switch status {
        case .cards: return nil
        case .loading: self = .loading
        case .empty: self = .empty
        case .failed: self = .failed
        }
    }
}
#endif
