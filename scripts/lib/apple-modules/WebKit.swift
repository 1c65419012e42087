// swift-format-ignore-file: it has the shape of Apple's interface, and no behaviour to document.
@_exported import UIKit
