@_exported import ObjectiveC

public struct Selector: ExpressibleByStringLiteral { public init(stringLiteral value: String) {} }
public struct ObjCBool: ExpressibleByBooleanLiteral {
    public var v: Int8
    public init(_ v: Bool) { self.v = v ? 1 : 0 }
    public init(booleanLiteral value: Bool) { v = 0 }
    public var boolValue: Bool { v != 0 }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }
extension NSObject: Equatable, Hashable {
    public static func == (a: NSObject, b: NSObject) -> Bool { a.isEqual(b) }
    public func hash(into h: inout Hasher) {}
    public var hashValue: Int { 0 }
}
public struct NSZone { var pointer: OpaquePointer }
