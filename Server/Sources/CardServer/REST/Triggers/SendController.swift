import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `POST /campaigns/trigger/send` and `/campaigns/trigger/schedule/create`, `update` and `delete`.
struct SendController: Sendable {
    // MARK: Sending

    @Sendable func send(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let order = try SendRequest(try await request.readJSON())
        let (result, errors) = try await send(order, due: nil, caller)
        var members: JSONObject = ["dispatch_id": .string(result.sendID.rawValue)]
        if let id = order.sendID { members["send_id"] = .string(id.rawValue) }
        members.merge(Self.repeated(result)) { $1 }
        return Response(success: members, errors: errors)
    }

    /// Sends at a later time; the reply's `schedule_id` names it until then.
    @Sendable func schedule(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let body = try await request.readJSON()
        let order = try SendRequest(body)
        let due = try due(body, at: caller.services.clock())
        let (result, errors) = try await send(order, due: due, caller)
        let id = JSONValue.string(result.sendID.rawValue)
        let members: JSONObject = ["dispatch_id": id, "schedule_id": id]
        return Response(success: members.merging(Self.repeated(result)) { $1 }, errors: errors)
    }

    /// Returns the reply where the `send_id` was used before: for users who have it already, nothing of this request
    /// was kept, neither its time nor its properties.
    private static func repeated(_ result: TriggerResult) -> JSONObject {
        guard result.receipt.duplicate > 0 else { return [:] }
        return [
            "accepted": .integer(Int64(result.receipt.accepted)),
            "duplicate": .integer(Int64(result.receipt.duplicate)),
        ]
    }

    private func send(
        _ request: SendRequest,
        due: PlannedTime?,
        _ caller: BackendCaller
    ) async throws -> (TriggerResult, [InputError]) {
        let services = caller.services
        var order = TriggerOrder()
        order.sendID = request.sendID
        order.properties = request.properties
        order.due = due
        order.isScheduled = due != nil
        var errors = request.errors
        let catalog = try await services.catalog.latest().catalog
        let triggers = TriggerService(services: services, catalog: catalog)
        guard catalog.entries[request.campaign] != nil else {
            throw RequestError.invalidCampaign
        }
        // Before anybody's attributes change.
        try await triggers.check(order, of: request.campaign)
        if request.recipients.contains(where: { $0.attributes != nil }) { try caller.key.require(.trackUsers) }
        if request.isBroadcast {
            order.broadcast = request.audience ?? .everyone
        } else {
            order.recipientAudience = request.audience
        }
        try order.admit(caller)
        if !request.isBroadcast { order.recipients = try await recipients(of: request, services, &errors) }
        let result = try await triggers.send(order, of: request.campaign, by: caller.key.actor)
        return (result, errors.sorted { $0.index < $1.index })
    }

    /// The users who are to get the card, each once; those who are not there are noted as errors.
    private func recipients(
        of request: SendRequest,
        _ services: Services,
        _ errors: inout [InputError]
    ) async throws -> [TriggerOrder.OrderRecipient] {
        try await setAttributes(of: request.recipients, services)
        let users = try await services.store.findUsers(request.recipients.map(\.user))
        var recipients: [TriggerOrder.OrderRecipient] = []
        var named: Set<UserID> = []
        for (recipient, user) in zip(request.recipients, users) {
            guard let user else {
                errors.append(
                    InputError(
                        type: "There is no such user, or more than one",
                        array: .recipients,
                        index: recipient.index
                    )
                )
                continue
            }
            guard named.insert(user).inserted else { continue }
            recipients.append(TriggerOrder.OrderRecipient(user: user, properties: recipient.properties))
        }
        return recipients
    }

    /// Changes attributes before anything is sent, in one transaction.
    private func setAttributes(of recipients: [SendRequest.SendRecipient], _ services: Services) async throws {
        let changes = recipients.compactMap { recipient in
            recipient.attributes.map {
                TrackedChange(user: recipient.user, newUser: recipient.newUser, content: .attributes($0))
            }
        }
        guard !changes.isEmpty else { return }
        _ = try await services.store.trackUsers(changes, rules: nil, at: services.clock())
    }

    // MARK: Schedules

    @Sendable func reschedule(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let body = try await request.readJSON()
        let services = caller.services
        let (campaign, id) = try schedule(body)
        let now = services.clock()
        let due = try due(body, at: now)
        let window = try await window(of: campaign, services)
        let isKept = try await services.store.rescheduleTrigger(
            id,
            of: campaign,
            due: due,
            until: due.latest + window,
            at: now
        )
        guard isKept else { throw RequestError.scheduleUnknown }
        try await services.catalog.reload()
        return Response(success: [:])
    }

    @Sendable func unschedule(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let services = caller.services
        let (campaign, id) = try schedule(try await request.readJSON())
        guard try await services.store.unscheduleTrigger(id, of: campaign, at: services.clock()) else {
            throw RequestError.scheduleUnknown
        }
        try await services.catalog.reload()
        return Response(success: [:])
    }

    /// Reads which schedule of which campaign is meant.
    func schedule(_ body: JSONValue) throws(RequestError) -> (CampaignID, TriggerID) {
        guard let campaign = body["campaign_id"]?.string.flatMap(CampaignID.init(checking:)) else {
            throw .invalidCampaign
        }
        guard let id = body["schedule_id"]?.string.flatMap(TriggerID.init(checking:)) else {
            throw .fatal("field_missing", "'schedule_id' is required.")
        }
        return (campaign, id)
    }

    private func window(of id: CampaignID, _ services: Services) async throws -> Double {
        guard let campaign = try await services.catalog.latest().catalog.entries[id]?.campaign else {
            throw RequestError.invalidCampaign
        }
        guard case .apiTriggered(let delivery) = campaign.content.delivery else { throw RequestError.notTriggerable }
        return delivery.window
    }

    /// Reads `schedule`: a moment, or a time by each user's own clock.
    func due(_ body: JSONValue, at now: UnixTime) throws(RequestError) -> PlannedTime {
        guard let schedule = body["schedule"], schedule.object != nil, let time = schedule["time"], !time.isNull else {
            throw .fatal("field_missing", "'schedule' with a 'time' is required.")
        }
        let isLocal = try Self.isLocal(schedule)
        let due: PlannedTime?
        if isLocal {
            due = time.string.flatMap(BackendTime.local).map(PlannedTime.local)
        } else {
            due = BackendTime.read(time).map(PlannedTime.at)
        }
        guard let due else {
            let expected = isLocal ? "an ISO 8601 time such as 2027-01-31T09:00:00" : BackendTime.expected
            throw .fatal("field_invalid", "'time' has to be \(expected).")
        }
        guard due.latest > now else { throw .fatal("time_passed", "The 'time' of the schedule has passed.") }
        guard due.latest <= now + Campaign.longestWindow else {
            throw .fatal("time_too_far", "The 'time' of the schedule is more than 400 days ahead.")
        }
        return due
    }

    /// Reads whether a time is meant by each user's own clock; what is no truth value is refused, as it would else be
    /// another moment for everybody.
    private static func isLocal(_ schedule: JSONValue) throws(RequestError) -> Bool {
        do throws(BackendInputError) {
            let isLocal = try BackendFlag.read("in_local_time", in: schedule) ?? false
            let isOptimal = try BackendFlag.read("at_optimal_time", in: schedule) ?? false
            return isLocal || isOptimal
        } catch {
            throw .fatal("field_invalid", "\(error.type).")
        }
    }
}

extension RequestError {
    static let scheduleUnknown = RequestError.fatal(
        "schedule_unknown",
        "There is no such schedule, or its time has come."
    )
}
