/// Stands for the device that the browser shows.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// The device of the tab whose app runs now.
    public static let current = UIDevice()

    /// A phone, or a tablet where the frame is as wide as one.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { UIScreen.main.traitCollection.userInterfaceIdiom }
    /// The kind of device.
    open var model: String { userInterfaceIdiom == .pad ? "iPad" : "iPhone" }
    /// The name of the device.
    open var name: String { model }
    /// The name of the system: what the interface looks like.
    open var systemName: String { "iOS" }
    /// The version of the system whose looks the interface has.
    open var systemVersion: String { "15.0" }
    /// The identifier of the device for the maker of the app; another for every process.
    public let identifierForVendor: UUID? = UUID()
}

extension UITraitCollection {
    /// The kind of device.
    public var userInterfaceIdiom: UIUserInterfaceIdiom {
        horizontalSizeClass == .regular && verticalSizeClass == .regular ? .pad : .phone
    }
}
