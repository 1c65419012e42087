// Lets files of apps compile that import WebKit, where there is none.
@_exported import BrowserUIKit
