import CardModel
import CardStore
import WireJSON

extension RandomOperation {
    static func campaign(_ dice: inout Dice) -> StoreOperation {
        let (id, now) = (dice.campaign(), dice.now)
        let title = dice.pick(["Sale", "Tea {{content_blocks.${a}}}", "Pens /media/\(StoreQuestions.picture)/p.png"])
        if dice.roll(3) == 0 {
            let campaign = sample(id.rawValue, title: title, at: now)
            return StoreOperation("insertCampaign \(id) \(title) at \(now)") { store in
                try await store.insertCampaign(campaign, by: command)
                return true
            }
        }
        let transition = dice.pick(
            [nil, .launch, .pause, .stop(withdraw: true), .archive, .restore] as [Campaign.Transition?]
        )
        let isStale = dice.roll(8) == 0
        return StoreOperation("updateCampaign \(id) \(transition.map(\.name) ?? title) at \(now)") { store in
            guard let known = try await store.campaign(id) else { return false }
            let content = sample(id.rawValue, title: title, at: now).content
            var changed: Campaign? = try known.updating(content, at: now)
            if let transition { changed = try? known.applying(transition, at: now) }
            guard let changed else { return false }
            let version = known.version - (isStale ? 1 : 0)
            return try await store.updateCampaign(changed, from: version, action: "campaign.update", by: command)
        }
    }

    private static func sample(_ id: String, title: String, at time: UnixTime) -> Campaign {
        var content = Campaign.sample(id, title: title).content
        let bought = try? Campaign.Content(
            json: [
                "name": "Sale", "variants": [["id": "a", "control": true]],
                "conversions": [
                    [
                        "id": "bought", "on": ["purchase": true], "window_seconds": 86_400,
                        "from": .string(id == "sale" ? "delivery" : "impression"),
                    ]
                ],
            ]
        )
        content.conversions = bought?.conversions ?? []
        return Campaign(id: CampaignID(rawValue: id), content: content, createdAt: time)
    }

    static func administration(_ dice: inout Dice) -> StoreOperation {
        let now = dice.now
        switch dice.roll(6) {
        case 0:
            let block = ContentBlock(name: dice.pick(["a", "b"]), content: dice.pick(["x", "y"]), updatedAt: now)
            return StoreOperation("saveContentBlock \(block)") { store in
                try await store.saveContentBlock(block, by: command)
                return true
            }
        case 1:
            let name = dice.pick(["a", "b"])
            return StoreOperation("deleteContentBlock \(name)") { store in
                try await store.deleteContentBlock(name, at: now, by: command)
            }
        case 2:
            var settings = Settings()
            settings.timeZone = dice.pick(["UTC", "Asia/Tokyo", "America/New_York"])
            settings.userTokens = dice.pick([.disabled, .required])
            return StoreOperation("saveSettings \(settings.timeZone) \(settings.userTokens)") { [settings] store in
                try await store.saveSettings(settings, at: now, by: command)
                return true
            }
        case 3:
            if dice.coin() { return testCode(&dice) }
            return testUsers(&dice)
        case 4: return webhook(&dice)
        default: return segment(&dice)
        }
    }

    /// A change of the test users.
    private static func testUsers(_ dice: inout Dice) -> StoreOperation {
        let now = dice.now
        let users = (0..<dice.roll(4)).map { _ in
            TestUser(dice.user(), name: dice.coin() ? "Phone" : nil, groups: dice.coin() ? ["QA"] : [])
        }
        let others: [TestUserChange] = [
            .removal(dice.user()), .group("QA", users.map(\.id)), .groupRemoval(dice.coin() ? "QA" : nil),
            .addition(TestUser(dice.user(), name: dice.coin() ? "Phone" : nil)),
        ]
        let replacement = TestUserChange.replacement(users, keepsNames: dice.coin(), keepsGroups: dice.coin())
        let change = dice.coin() ? replacement : dice.pick(others)
        return StoreOperation("changeTestUsers \(change)") { store in
            try await store.changeTestUsers(change, at: now, by: command)
        }
    }

    /// A code that a device asks for, or that a member types.
    private static func testCode(_ dice: inout Dice) -> StoreOperation {
        let (user, now) = (dice.user(), dice.now)
        guard let code = TestCode(typed: dice.pick(["BBBB-BBBB", "CCCC-CCCC"])) else { return webhook(&dice) }
        if dice.coin() {
            return StoreOperation("user(ofTestCode: \(code)) at \(now)") { store in
                try await store.user(ofTestCode: code, at: now)
            }
        }
        let device = dice.pick(["d1", "d2", "d3"])
        return StoreOperation("insertTestCode \(code) of \(user), \(device) at \(now)") { store in
            let holder = TestCodeHolder(user: user, device: device, client: "192.0.2.1")
            return try await store.insertTestCode(code, of: holder, at: now)
        }
    }

    private static func webhook(_ dice: inout Dice) -> StoreOperation {
        let (now, worker) = (dice.now, dice.pick(["w1", "w2"]))
        let types: Set<String> = dice.coin() ? [] : ["user.deleted"]
        let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", types: types, createdAt: noon)
        switch dice.roll(4) {
        case 0:
            return StoreOperation("saveWebhook \(types) at \(now)") { store in
                try await store.saveWebhook(hook, after: nil, at: now, by: command)
                return true
            }
        case 1:
            return StoreOperation("saveWebhook nil at \(now)") { store in
                try await store.saveWebhook(nil, after: nil, at: now, by: command)
                return true
            }
        case 2:
            let seconds: Double = dice.coin() ? 0 : 1e9
            return StoreOperation("claimWebhook for \(worker), \(seconds) s") { store in
                try await store.claimWebhook(for: worker, seconds: seconds)?.withoutPosition
            }
        default:
            let (sent, notices) = (dice.roll(20), Int64(dice.roll(5)))
            return StoreOperation("saveWebhookProgress \(sent) events, \(notices) notices by \(worker)") { store in
                let log = try await store.eventPage(after: 0, EventFilter(), limit: 1_000).events
                let progress = WebhookProgress(position: log.prefix(sent).last?.position ?? 0)
                return try await store.saveWebhookProgress(progress, noticesThrough: notices, of: hook, by: worker)
            }
        }
    }

    private static func segment(_ dice: inout Dice) -> StoreOperation {
        let (now, plan) = (dice.now, dice.pick(["gold", "silver"]))
        let segment = Segment(
            id: SegmentID(rawValue: dice.pick(["one", "two"])),
            content: Segment.SegmentContent(
                name: plan,
                audience: .attribute(AttributeClause(.custom("plan"), .equals, .string(plan)))
            ),
            createdAt: now
        )
        return StoreOperation("segment \(segment.id) \(plan) at \(now)") { store in
            guard let known = try await store.segment(segment.id) else {
                try await store.insertSegment(segment, by: command)
                return true
            }
            let changed = known.archiving(!known.isArchived, at: now)
            return try await store.updateSegment(changed, from: known.version, action: "segment.update", by: command)
        }
    }
}
