extension UIBackgroundConfiguration {
    /// Returns the configuration for a state: the same.
    public func updated(for state: any UIConfigurationState) -> UIBackgroundConfiguration { self }
}
