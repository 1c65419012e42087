/// The record that is kept about the device.
struct DeviceRecord: Sendable, Codable {
    var deviceID: String
    var user: String?
    var isDisabled = false
    var budget: RefreshBudget?
    /// The time until which the server asked to be left alone.
    var pause: RequestPause?
    /// Users of before, whose feeds are kept for a while.
    var formerUsers = FormerUsers()
}

extension DeviceRecord {
    /// Reads what was kept, member by member: one that can't be meant costs only itself.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        deviceID = try fields.decode(String.self, forKey: .deviceID)
        guard UserIDRules.isValid(deviceID) else {
            throw DecodingError.dataCorruptedError(forKey: .deviceID, in: fields, debugDescription: "no id")
        }
        let user = try? fields.decodeIfPresent(String.self, forKey: .user)
        self.user = user.flatMap { UserIDRules.isValid($0) ? $0 : nil }
        isDisabled = (try? fields.decodeIfPresent(Bool.self, forKey: .isDisabled)) ?? false
        budget = try? fields.decodeIfPresent(RefreshBudget.self, forKey: .budget)
        pause = try? fields.decodeIfPresent(RequestPause.self, forKey: .pause)
        formerUsers = (try? fields.decodeIfPresent(FormerUsers.self, forKey: .formerUsers)) ?? FormerUsers()
    }
}
