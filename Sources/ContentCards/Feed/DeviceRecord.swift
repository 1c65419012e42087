import Foundation

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
    /// The user that the device is where nobody has signed in.
    var anonymousUser: String { "anonymous-" + deviceID }

    /// Returns the record of the disk, which could not be read until now, with what the app has said in the meantime.
    ///
    /// The device itself comes after a user on the record: until that could be read, nobody else was known.
    ///
    /// - Parameters:
    ///   - kept: the record of the disk; `nil` where there is none, or where all data were wiped.
    ///   - isDisabled: whether content cards are disabled.
    ///   - date: the time at which a user on the record has left.
    /// - Returns: the record of the device from now on.
    func merged(into kept: DeviceRecord?, isDisabled: Bool, at date: Date) -> DeviceRecord {
        var record = kept ?? self
        record.isDisabled = isDisabled
        guard let kept, let user else { return record }
        if user.hasSameBytes(as: anonymousUser) {
            record.user = kept.user ?? kept.anonymousUser
        } else if !kept.user.hasSameBytes(as: user) {
            record.formerUsers.change(from: kept.user, to: user, at: date)
            record.user = user
        }
        return record
    }

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
