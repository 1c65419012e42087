#if canImport(SwiftUI) && canImport(UIKit) && canImport(ObjectiveC) && !os(tvOS)
import ContentCards
import SwiftUI

/// Makes one element of a card that a style draws, for taps and for VoiceOver, which may delete it.
struct StyledCardTraits: ViewModifier {
    let card: ContentCard
    /// A closure that is told that the card should go; `nil` where it can't.
    let onDelete: (@MainActor () -> Void)?
    /// Whether a tap does something; `nil` goes by the card's address.
    var isActionable: Bool?

    private var traits: AccessibilityTraits {
        switch CardDestination(of: card).role(isActionable: isActionable) {
        case .text: []
        case .button: .isButton
        case .link: .isLink
        }
    }

    func body(content: Content) -> some View {
        content
            .contentShape(Rectangle())
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(traits)
            .modifier(DeleteAction(perform: onDelete))
    }
}

/// Deletes a card by a swipe where it is the row of a list; elsewhere it does nothing.
struct SwipeToDelete: ViewModifier {
    let perform: (@MainActor () -> Void)?

    @ViewBuilder func body(content: Content) -> some View {
        if let perform {
            content.swipeActions(edge: .trailing, allowsFullSwipe: true) {
                Button(ContentCardsText.delete.text(), role: .destructive, action: perform)
            }
        } else {
            content
        }
    }
}

/// Offers VoiceOver to delete a card.
private struct DeleteAction: ViewModifier {
    let perform: (@MainActor () -> Void)?

    @ViewBuilder func body(content: Content) -> some View {
        if let perform {
            content.accessibilityAction(named: ContentCardsText.delete.text(), perform)
        } else {
            content
        }
    }
}
#endif
