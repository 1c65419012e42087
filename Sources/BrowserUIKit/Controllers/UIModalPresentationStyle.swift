/// Says how a presented controller covers what is behind it.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Entirely.
    case fullScreen = 0
    /// As a sheet, below the top.
    case pageSheet = 1
    /// As a small sheet in the middle.
    case formSheet = 2
    /// The controller that presents, or its container; browsers cover the screen.
    case currentContext = 3
    /// As the app draws it; browsers cover the screen.
    case custom = 4
    /// Entirely, with what is behind shining through.
    case overFullScreen = 5
    /// The controller that presents, with what is behind shining through; browsers cover the screen.
    case overCurrentContext = 6
    /// As a popover: on a phone, a sheet.
    case popover = 7
    /// As the system thinks best: a sheet.
    case automatic = -2

    /// Whether what is behind it leaves the screen.
    var isCover: Bool { self == .fullScreen || self == .currentContext }

    /// Whether it is drawn as a sheet, below the top.
    var isSheet: Bool {
        switch self {
        case .pageSheet, .formSheet, .popover, .automatic: true
        case .fullScreen, .currentContext, .custom, .overFullScreen, .overCurrentContext: false
        }
    }
}

/// Says how a presented controller comes to the screen.
public enum UIModalTransitionStyle: Int, Sendable {
    /// From below.
    case coverVertical = 0
    /// By turning over.
    case flipHorizontal = 1
    /// By fading.
    case crossDissolve = 2
    /// By turning a leaf; browsers let it rise.
    case partialCurl = 3
}

extension UIViewController {
    /// The class by which the page shows how the controller comes to the screen; `nil` where it rises.
    var transitionClass: String? {
        guard container == nil else { return "placed" }
        switch modalTransitionStyle {
        case .coverVertical, .partialCurl: return nil
        case .flipHorizontal: return "flip"
        case .crossDissolve: return "dissolve"
        }
    }
}
