// swift-format-ignore-file
// It has the shape of Apple's interfaces, a declaration a line, and no behaviour to document.
// What the SDK uses of ImageIO, and of Core Foundation, which it shows.
@_exported import CoreGraphics
import Foundation

public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFData = NSData

public final class CGImageSource {}
public var kCGImageSourceShouldCache: CFString { fatalError() }
public var kCGImageSourceShouldCacheImmediately: CFString { fatalError() }
public var kCGImageSourceCreateThumbnailFromImageAlways: CFString { fatalError() }
public var kCGImageSourceCreateThumbnailWithTransform: CFString { fatalError() }
public var kCGImageSourceThumbnailMaxPixelSize: CFString { fatalError() }
public var kCGImagePropertyPixelWidth: CFString { fatalError() }
public var kCGImagePropertyPixelHeight: CFString { fatalError() }
public var kCGImagePropertyOrientation: CFString { fatalError() }
public var kCGImagePropertyGIFDictionary: CFString { fatalError() }
public var kCGImagePropertyGIFUnclampedDelayTime: CFString { fatalError() }
public var kCGImagePropertyGIFDelayTime: CFString { fatalError() }

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { nil }
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { 0 }
public func CGImageSourceCopyPropertiesAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CFDictionary? { nil }
public func CGImageSourceCreateThumbnailAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? { nil }
