import ContentCards

// The words of the SDK that the rest of the app uses. Beside this file, only `Cards` imports it.
package typealias CardClock = ContentCardsClock
typealias ContentCard = ContentCards.ContentCard
typealias ContentCardClassType = ContentCards.ContentCardClassType
typealias ContentCardData = ContentCards.ContentCardData
typealias ContentCardKey = ContentCards.ContentCardKey
typealias ContentCardable = ContentCards.ContentCardable
