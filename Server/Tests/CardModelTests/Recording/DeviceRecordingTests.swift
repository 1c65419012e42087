import Statistics
import Testing

@testable import CardModel

@Suite("Recording what devices say of themselves, and whose their events are")
struct DeviceRecordingTests {
    private let user = UserID(rawValue: "u")
    private let identity = UserID(rawValue: "ann")
    private let phone = DeviceContext(locale: "ja-JP", timeZone: "Asia/Tokyo", appVersion: "1.0")

    // MARK: Devices

    @Test("A device of an unknown user creates them, of version 0 where it says nothing")
    func creation() {
        let recorder = Recorder()
        var profile = UserProfile(id: user, createdAt: 100)
        profile.lastSeenAt = 100
        let silent = recorder.record(DeviceContext(), of: user, over: nil, at: 100)
        #expect(silent == .creation(profile, version: 0))
        profile.device = phone
        #expect(recorder.record(phone, of: user, over: nil, at: 100) == .creation(profile, version: 1))
    }

    @Test("A device that says the same as before is only seen; what it says else gives the user the next version")
    func changes() {
        let recorder = Recorder()
        let known = KnownUser(version: 4, device: phone)
        #expect(recorder.record(phone, of: user, over: known, at: 100) == .seen)
        var other = phone
        other.appVersion = "1.1"
        #expect(recorder.record(other, of: user, over: known, at: 100) == .device(other, version: 5))
        // A device that says nothing takes back what was said.
        let silent = DeviceContext()
        #expect(recorder.record(silent, of: user, over: known, at: 100) == .device(silent, version: 5))
    }

    @Test("The version counts how often devices said something else than the one before", arguments: 0..<20)
    func random(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let recorder = Recorder()
        var (known, said): (KnownUser?, [DeviceContext]) = (nil, [DeviceContext()])
        for step in 0..<50 {
            let device = DeviceContext(appVersion: ["1", "2", nil].randomElement(using: &random) ?? nil)
            said.append(device)
            switch recorder.record(device, of: user, over: known, at: Double(step)) {
            case .creation(let profile, let version):
                #expect(step == 0 && profile.lastSeenAt == 0)
                known = KnownUser(version: version, device: profile.device)
            case .seen: break
            case .device(let device, let version): known = KnownUser(version: version, device: device)
            }
            let changes = zip(said, said.dropFirst()).count { $0 != $1 }
            #expect(known == KnownUser(version: Int64(changes), device: device))
        }
    }

    // MARK: Whose events are

    private struct Asked: Error {}

    private func batch(from device: String?) -> EventBatch {
        EventBatch(user: user, events: [], receivedAt: 100, device: device)
    }

    @Test("Events of a known user are that user's, and nobody asks whether they were merged")
    func known() throws {
        for device in ["phone", nil] {
            let owner = try batch(from: device).owner(known: KnownUser(version: 7)) { throw Asked() }
            #expect(owner == .known(version: 7))
        }
    }

    @Test("What a device still sends for a user who was merged is the identity's; a backend means a new user")
    func merged() throws {
        let found = (id: identity, user: KnownUser(version: 3))
        #expect(batch(from: "phone").owner(known: nil, mergedInto: { found }) == .identity(identity, version: 3))
        let profile = UserProfile(id: user, createdAt: 100)
        #expect(batch(from: "phone").owner(known: nil, mergedInto: { nil }) == .creation(profile))
        let owner = try batch(from: nil).owner(known: nil) { throw Asked() }
        #expect(owner == .creation(profile))
    }

    @Test("A feed creates its user where the store has never had them, and not where they are gone by now")
    func createsUser() {
        func change(_ version: UserVersion) -> FeedChange {
            FeedChange(user: user, version: version, additions: [], endings: [:], at: 100)
        }
        #expect(change(0).createsUser(over: nil) && !change(2).createsUser(over: nil))
        #expect(!change(0).createsUser(over: KnownUser(version: 0)))
    }
}
