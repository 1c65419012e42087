import ContentCards
import ContentCardsUI
import SwiftUI

extension ContentCardClassType {
    static let homeTile = ContentCardClassType(rawValue: "home_tile")
}
