import CardModel
import CardStore
import OrderedCollections
import WireJSON

extension RandomOperation {
    static func attributes(_ dice: inout Dice) -> StoreOperation {
        let (user, now) = (dice.user(), dice.now)
        let update = UserUpdate(
            id: user,
            custom: ["plan": dice.pick(["gold", "silver", .null])],
            standard: dice.pick([[.email: "Ann@Example.com"], [.email: "bob@example.com"], [.phone: "+1"], [:]])
        )
        return StoreOperation("updateUsers \(update) at \(now)") { try await $0.updateUsers([update], at: now) }
    }

    static func tracking(_ dice: inout Dice) -> StoreOperation {
        let now = dice.now
        let changes = (0...dice.roll(2)).map { _ in
            let (reference, new) = (dice.pick(references), dice.coin() ? dice.user() : nil)
            let content: TrackedChange.TrackedContent =
                dice.coin()
                ? .event(dice.event(of: dice.user()))
                : .attributes(AttributeChanges(custom: ["visits": .increment(by: 1)]))
            // What has an id of its own is created by that id.
            var user = new
            if case .id(let id) = reference, new != nil { user = id }
            return TrackedChange(user: reference, newUser: user, content: content)
        }
        .filter { !$0.isNewOfKnownName }
        let rules = dice.coin() ? rules : nil
        return StoreOperation("trackUsers \(changes) at \(now)") { store in
            // A new user has an id that no other user has.
            var possible: [TrackedChange] = []
            for change in changes {
                guard let new = change.newUser, change.user != .id(new) else {
                    possible.append(change)
                    continue
                }
                if try await store.userRevision(of: new) == nil, possible.isEmpty { possible.append(change) }
            }
            return try await store.trackUsers(possible, rules: rules, at: now)
        }
    }

    static func identity(_ dice: inout Dice) -> StoreOperation {
        let now = dice.now
        if dice.roll(4) == 0 {
            let limit = 1 + dice.roll(3)
            return StoreOperation("moveMergedEvents \(limit)") { store in
                // Where events are is each store's own affair.
                _ = try await store.moveMergedEvents(limit: limit)
                return limit
            }
        }
        if dice.coin() {
            let identification = Identification(
                user: dice.pick(references),
                identity: dice.pick(Array(users.prefix(2)))
            )
            return StoreOperation("identifyUsers \(identification) at \(now)") { store in
                try await store.identifyUsers([identification], at: now)
            }
        }
        let (alias, user) = (dice.pick(aliases), dice.user())
        return StoreOperation("addAliases \(alias) to \(user) at \(now)") { store in
            try await store.addAliases([NewAlias(alias: alias, user: user, newUser: user)], at: now)
        }
    }

    static func deletion(_ dice: inout Dice) -> StoreOperation {
        let (user, reference, now) = (dice.user(), dice.pick(references), dice.now)
        if dice.coin() {
            return StoreOperation("deleteUser \(user) at \(now)") { store in
                try await store.deleteUser(user, at: now, by: command)
            }
        }
        return StoreOperation("deleteUsers \(reference) at \(now)") { store in
            try await store.deleteUsers([reference], at: now, by: command)
        }
    }

    static func trigger(_ dice: inout Dice) -> StoreOperation {
        let (campaign, id, now) = (dice.campaign(), dice.trigger(), dice.now)
        let due: PlannedTime =
            dice.coin() ? .at(now + 3_600 * Double(dice.roll(30))) : .local(LocalTime(seconds: now + 90_000))
        let trigger = Trigger(
            id: id,
            campaign: campaign,
            at: now,
            due: due,
            until: now + 172_800,
            properties: [0x7B, 0x7D]
        )
        let recipients = (0...dice.roll(2)).map { _ in TriggerSend.Recipient(dice.user(), properties: [0x7B, 0x7D]) }
        let send = TriggerSend(trigger, to: recipients, makesUsers: dice.coin(), isScheduled: dice.coin())
        switch dice.roll(6) {
        case 0:
            return StoreOperation("rescheduleTrigger \(id) of \(campaign) at \(now)") { store in
                try await store.rescheduleTrigger(id, of: campaign, due: due, until: now + 200_000, at: now)
            }
        case 1:
            return StoreOperation("unscheduleTrigger \(id) of \(campaign) at \(now)") { store in
                try await store.unscheduleTrigger(id, of: campaign, at: now)
            }
        case 2:
            return StoreOperation("insertBroadcast \(id) of \(campaign) at \(now)") { store in
                try await store.insertBroadcast(Broadcast(trigger), by: command)
            }
        default: return StoreOperation("sendTriggers \(send)") { try await $0.sendTriggers(send) }
        }
    }

    static func pruning(_ dice: inout Dice) -> StoreOperation {
        let time = dice.now - Double(dice.roll(72)) * 3_600
        let now = dice.now
        switch dice.roll(4) {
        case 0: return StoreOperation("pruneEvents before \(time)") { try await $0.pruneEvents(before: time) }
        case 1: return StoreOperation("pruneTriggers before \(time)") { try await $0.pruneTriggers(before: time) }
        case 2:
            return StoreOperation("pruneCampaignVersions before \(time)") { store in
                try await store.pruneCampaignVersions(before: time)
            }
        default:
            return StoreOperation("pruneAudit before \(time)") { store in
                try await store.pruneAudit(before: time, at: now, by: command)
            }
        }
    }
}

extension TrackedChange {
    /// Whether a user is to be created under the name of another one.
    fileprivate var isNewOfKnownName: Bool {
        if case .id(let id) = user, let newUser { newUser != id } else { false }
    }
}
