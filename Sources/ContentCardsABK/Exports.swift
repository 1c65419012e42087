// An app that was written for the documented names imports the SDK alone and finds UIKit's names with it.
#if canImport(UIKit) && canImport(ObjectiveC)
@_exported import UIKit
#else
@_exported import BrowserUIKit
@_exported import Foundation
#endif
