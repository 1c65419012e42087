/// A picture above the tiles of the home page: it leads nowhere.
struct Ad: Hashable, ContentCardable {
    /// The name of a picture of the app, or an address.
    let image: String
    /// The text of the picture.
    let text: String
    let contentCardData: ContentCardData?

    var isControl: Bool { contentCardData?.isControl ?? false }

    /// Takes `ad_image`, or else the image of the card, and its title.
    ///
    /// An ad needs a picture; the slot of a control group needs nothing.
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let fields = CardFields(metaData, contentCardClassType) else { return nil }
        let image = fields.extra("ad_image") ?? fields.text(.image)
        guard image != nil || fields.isControl else { return nil }
        self.image = image ?? ""
        text = fields.text(.title) ?? ""
        contentCardData = fields.data
    }
}
