/// The shape of the cards of a layout: everything that the server has to know of a layout besides its name on the wire.
package struct LayoutShape: Sendable {
    /// The name in the dashboard.
    package let label: Phrase
    /// The texts that a card has to have, of title, description and image.
    package let requiredFields: [String]
}
