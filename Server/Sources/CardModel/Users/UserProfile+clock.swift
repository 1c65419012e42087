extension UserProfile {
    /// The clock where the user is: by what a backend set or a device said, or else the workspace's.
    public func clock(orElse workspace: TimeZoneClock) -> TimeZoneClock {
        value(of: .timeZone)?.string.flatMap(TimeZoneClock.init(named:)) ?? workspace
    }
}
