// swift-format-ignore-file
// It has the shape of Apple's interfaces, a declaration a line, and no behaviour to document.
import BrowserUIKit
import Foundation

public final class CGImage: Sendable {}
