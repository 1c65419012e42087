// swift-format-ignore-file
// It has the shape of Apple's interface, a declaration a line, and no behaviour to document.
// What the core of the SDK uses of Foundation on Apple's platforms alone: declarations to type-check against, which
// can't run.
import Foundation

extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
extension NSObject {
    public class func value(forKey key: String) -> Any? { nil }
    public func value(forKey key: String) -> Any? { nil }
}
extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}
