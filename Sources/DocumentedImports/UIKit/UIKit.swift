// Lets files of apps compile that import UIKit, where there is none.
@_exported import BrowserUIKit
