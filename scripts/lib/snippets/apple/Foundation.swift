// Stands in for Apple's Foundation where overrides and headers are type-checked. Nothing of it ever runs, so bodies
// only have to compile.
@_exported import Foundation
@_exported import ObjectiveC

extension String: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSString
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
extension Substring {}
extension Int: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNumber
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Int?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Int { fatalError() }
}
extension Bool: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNumber
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool { fatalError() }
}
extension Double: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNumber
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Double?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Double { fatalError() }
}
extension Float: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNumber
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Float?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Float?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Float { fatalError() }
}
extension UInt: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNumber
    public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout UInt?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout UInt?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> UInt { fatalError() }
}
public struct Date: Hashable, Sendable { public init() {} }
extension Date: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSDate
    public func _bridgeToObjectiveC() -> NSDate { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { fatalError() }
}
public struct URL: Hashable, Sendable { public init() {} }
extension URL: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSURL
    public func _bridgeToObjectiveC() -> NSURL { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { fatalError() }
}
public struct UUID: Hashable, Sendable { public init() {} }
public struct Data: Hashable, Sendable { public init() {} }
extension Data: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSData
    public func _bridgeToObjectiveC() -> NSData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { fatalError() }
}
public struct IndexPath: Hashable, Sendable { public init() {} }
extension IndexPath: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSIndexPath
    public func _bridgeToObjectiveC() -> NSIndexPath { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSIndexPath, result: inout IndexPath?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSIndexPath, result: inout IndexPath?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSIndexPath?) -> IndexPath { fatalError() }
}
public struct Notification: Hashable, Sendable { public init() {} }
extension Notification: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSNotification
    public func _bridgeToObjectiveC() -> NSNotification { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSNotification, result: inout Notification?) {
        fatalError()
    }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNotification, result: inout Notification?) -> Bool
    { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNotification?) -> Notification { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSArray
    public func _bridgeToObjectiveC() -> NSArray { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Array { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSDictionary
    public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary { fatalError() }
}
extension Set: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSSet
    public func _bridgeToObjectiveC() -> NSSet { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSSet, result: inout Set?) -> Bool { fatalError() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Set { fatalError() }
}
public typealias TimeInterval = Double
public typealias CGFloat = Double
extension NSNotification.Name { public init(_ name: String) { fatalError() } }
extension AnyHashable: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSObject
    public func _bridgeToObjectiveC() -> NSObject { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: NSObject, result: inout AnyHashable?) { fatalError() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSObject, result: inout AnyHashable?) -> Bool {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSObject?) -> AnyHashable { fatalError() }
}
