import CardModel
import Statistics
import Testing

@Suite("What keys may do")
struct KeyPermissionTests {
    private func key(_ id: String, _ kind: APIKey.KeyKind, _ permissions: Set<Permission>) -> APIKey {
        APIKey(id: id, name: id, kind: kind, permissions: permissions, hash: [], hint: "", createdAt: 0)
    }

    @Test func `Permissions include themselves and what those include that they include, and no two each other`() {
        for first in Permission.allCases {
            #expect(first.includes(first))
            for second in Permission.allCases where first.includes(second) {
                #expect(first == second || !second.includes(first), "\(first) and \(second)")
                for third in Permission.allCases where second.includes(third) {
                    #expect(first.includes(third), "\(first), \(second), \(third)")
                }
            }
        }
    }

    @Test func `The device API is opened by its own permission alone, and all else by one for everything`() {
        for permission in Permission.allCases {
            #expect(permission.includes(.device) == (permission == .device))
            #expect(Permission.device.includes(permission) == (permission == .device))
            #expect(Permission.manage.includes(permission) == (permission != .device))
        }
    }

    @Test func `What changes, deletes or shows users is in no permission to read, report or trigger`() {
        let dangerous: [Permission] = [
            .users, .keys, .settings, .deleteUsers, .exportUsers, .exportEvents, .track, .trackUsers, .campaigns,
        ]
        for permission in [Permission.read, .report, .trigger, .listCampaigns, .sendCampaigns] {
            #expect(dangerous.allSatisfy { !permission.includes($0) }, "\(permission)")
        }
        #expect(!Permission.track.includes(.users) && !Permission.campaigns.includes(.report))
        #expect(!Permission.campaigns.includes(.trigger) && !Permission.users.includes(.track))
    }

    @Test func `A permission for one path is a part of one group, and opens nothing else`() {
        for permission in Permission.allCases where permission.isForBackends {
            let opened = Permission.allCases.filter { permission.includes($0) }
            #expect(opened == [permission])
            #expect(permission.group.map { $0.includes(permission) && !$0.isForBackends } == true)
        }
    }

    @Test(arguments: 0..<40)
    func `A key covers another only where it may do all that the other one may`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let times: [UnixTime?] = [nil, 100, 200, 300]
        let texts = ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "192.0.2.0/24", "2001:db8::/32", "2001:db8::1", "::/0"]
        let addresses = try ["10.1.2.3", "10.1.9.9", "10.200.0.1", "192.0.2.7", "2001:db8::1", "2001:db9::1"].map {
            try #require(IPAddress($0))
        }
        for _ in 0..<200 {
            var keys: [APIKey] = []
            for id in ["one", "two"] {
                let isSecret = Int.random(in: 0..<6, using: &random) > 0
                let some = Permission.allCases.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
                var new = key(id, isSecret ? .secret : .publishable, isSecret ? Set(some) : [.device])
                new.expiresAt = times[Int.random(in: 0..<4, using: &random)]
                let ranges = texts.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                new.allowedAddresses = isSecret ? ranges.compactMap { AddressRange($0) } : []
                keys.append(new)
            }
            let (first, second) = (keys[0], keys[1])
            #expect(first.covers(first) && second.covers(second))
            guard first.covers(second) else { continue }
            for time in [99.0, 100, 199, 200, 299, 300, 1e9] where second.works(at: time) {
                #expect(first.works(at: time))
            }
            guard second.kind == .secret else { continue }
            for address in addresses.map(IPAddress?.some) + [nil] where second.permits(address) {
                #expect(first.permits(address), "\(address?.description ?? "unknown")")
            }
            for permission in Permission.allCases where permission != .device && second.permits(permission) {
                #expect(first.permits(permission), "\(permission)")
            }
        }
    }

    @Test func `A key works until just before it expires, and not once it is revoked`() {
        var key = key("k", .secret, [.read])
        #expect(key.works(at: 0) && key.works(at: 1e12))
        key.expiresAt = 100
        #expect([99, 99.999, 100, 101].map { key.works(at: $0) } == [true, true, false, false])
        key.revokedAt = 50
        #expect(!key.works(at: 0) && !key.works(at: 99))
    }

    @Test func `A key that is bound to addresses may not be used from one that isn't known`() throws {
        var key = key("k", .secret, [.read])
        #expect(key.permits(IPAddress?.none))
        key.allowedAddresses = [try #require(AddressRange("0.0.0.0/0"))]
        #expect(!key.permits(IPAddress?.none) && key.permits(IPAddress("203.0.113.1")))
        // One range is of one version.
        #expect(!key.permits(IPAddress("2001:db8::1")))
    }

    @Test(arguments: [Role.viewer, .editor, .admin])
    func `Each role is above those before it`(role: Role) {
        let order = [Role.viewer, .editor, .admin]
        #expect(order.sorted() == order && Role.allCases.count == order.count)
        #expect(order.filter { $0 < role } == Array(order.prefix { $0 != role }))
    }
}
