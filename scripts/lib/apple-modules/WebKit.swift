// swift-format-ignore-file
// It has the shape of Apple's interface, and no behaviour to document.
@_exported import UIKit
