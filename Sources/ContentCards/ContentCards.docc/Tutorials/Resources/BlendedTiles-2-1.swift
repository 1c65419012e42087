import ContentCards
import ContentCardsUI
import SwiftUI

struct TileStyle: ContentCardStyle {
    func makeBody(configuration: Configuration) -> some View {
        HStack {
            AsyncImage(url: configuration.card.imageURL) { image in
                image.resizable().scaledToFill()
            } placeholder: {
                Color.gray.opacity(0.2)
            }
            .frame(width: 72, height: 72)
            .accessibilityLabel(configuration.card.imageAlt ?? "")

            Text(configuration.card.title).font(.headline)
            Spacer()
            if configuration.isUnread { Text("New") }
        }
        .padding()
    }
}
