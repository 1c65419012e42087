/// A picture of the samples, for the media library.
///
/// It is as wide as the largest size that the library keeps. The drawings are in `Examples/Shop/Artwork/cards`.
package enum SamplePicture: String, Sendable, CaseIterable {
    /// A mountain before the evening sun and the words *Summer sale*, four times as wide as high.
    case sale
    /// A jacket before an evening sky, 4 to 3.
    case jacket
    /// A parcel, as wide as high.
    case parcel
    /// A sheep on a hill, 374 to 200.
    case sheep
    /// A clock, as wide as high.
    case clock

    /// The name of the file.
    package var fileName: String { "\(rawValue).png" }

    /// The alternative text of the picture.
    package var alt: String {
        switch self {
        case .sale: "Summer sale"
        case .jacket: "A jacket before an evening sky"
        case .parcel: "A parcel"
        case .sheep: "A sheep on a hill"
        case .clock: "A clock"
        }
    }

    /// The file.
    package var bytes: [UInt8] {
        switch self {
        case .sale: PackageResources.sale_png
        case .jacket: PackageResources.jacket_png
        case .parcel: PackageResources.parcel_png
        case .sheep: PackageResources.sheep_png
        case .clock: PackageResources.clock_png
        }
    }
}
