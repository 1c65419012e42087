/// What is kept about the device.
struct DeviceRecord: Sendable, Codable {
    var deviceID: String
    var user: String?
    var isDisabled = false
    var budget: RefreshBudget?
}

/// Names this version of the SDK.
enum SDK {
    static let version = "1.0.0"
}
