extension ContentCardsClient {
    /// Says where an app runs.
    ///
    /// A card may lead to another address on each platform.
    public enum Platform: String, Sendable, CaseIterable {
        /// An Apple device.
        case ios
        /// An Android device.
        case android
        /// A browser.
        case web

        /// The platform that this was built for; `nil` where that is none of them, as on Linux.
        public static var current: Platform? {
            #if canImport(Darwin)
            .ios
            #elseif os(Android)
            .android
            #elseif os(WASI)
            .web
            #else
            nil
            #endif
        }
    }
}
