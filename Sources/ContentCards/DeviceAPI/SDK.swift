/// Names this version of the SDK.
enum SDK {
    static let version = "1.0.0-beta.1"
}
