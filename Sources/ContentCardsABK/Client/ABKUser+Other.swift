import ContentCards
import Foundation

// What backends do, or other channels need. Each says so once, as `Diagnostic.notSupported`.
extension ABKUser {
    /// The address of a picture of the user, kept as the custom attribute `avatar_image_url`; `nil` removes it.
    public var avatarImageURL: String? {
        get { nil }
        set {
            let value = newValue.map(JSONValue.string) ?? .null
            appboy.log { $0.setAttribute("avatar_image_url", to: value) }
        }
    }

    /// Returns `false`: aliases are given by backends.
    @discardableResult
    public func addAlias(_ alias: String, withLabel label: String) -> Bool { refuse("addAlias") }

    /// Returns `false`: there are no subscription groups.
    @discardableResult
    public func addToSubscriptionGroup(withGroupId groupId: String) -> Bool { refuse("addToSubscriptionGroup") }

    /// Returns `false`: there are no subscription groups.
    @discardableResult
    public func removeFromSubscriptionGroup(withGroupId groupId: String) -> Bool {
        refuse("removeFromSubscriptionGroup")
    }

    /// Returns `false`: places are not kept.
    @discardableResult
    public func setLastKnownLocationWithLatitude(
        _ latitude: Double,
        longitude: Double,
        horizontalAccuracy: Double
    ) -> Bool { refuse("setLastKnownLocation") }

    /// Returns `false`: places are not kept.
    @discardableResult
    public func setLastKnownLocationWithLatitude(
        _ latitude: Double,
        longitude: Double,
        horizontalAccuracy: Double,
        altitude: Double,
        verticalAccuracy: Double
    ) -> Bool { refuse("setLastKnownLocation") }

    /// Returns `false`: places are not kept.
    @discardableResult
    public func addLocationCustomAttribute(withKey key: String, latitude: Double, longitude: Double) -> Bool {
        refuse("addLocationCustomAttribute")
    }

    /// Returns `false`: places are not kept.
    @discardableResult
    public func removeLocationCustomAttribute(withKey key: String) -> Bool { refuse("removeLocationCustomAttribute") }

    private func refuse(_ name: String) -> Bool {
        appboy.client.noteUnsupported(name)
        return false
    }
}
