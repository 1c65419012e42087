import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `POST /users/export/ids`: all that is known of users.
struct ExportController: Sendable {
    /// A user to export.
    struct Wanted {
        let user: UserReference
        /// The name of the user in the request.
        let name: String
    }

    @Sendable func export(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let body = try await request.readJSON()
        let wanted = try wanted(body)
        let fields = try fields(body)
        let details: JSONValue = ["requested": .integer(Int64(wanted.count))]
        try await caller.services.reads.note("user.export", details: details, by: caller.key.actor)
        let records = try await caller.services.store.userRecords(of: wanted.map(\.user))
        let export = UserExport(catalog: caller.services.catalog.current.catalog, fields: fields)
        var users: [JSONValue] = []
        var unknown: [JSONValue] = []
        var exported: Set<UserID> = []
        for (wanted, records) in zip(wanted, records) {
            if records.isEmpty { unknown.append(.string(wanted.name)) }
            for record in records where exported.insert(record.profile.id).inserted {
                users.append(export.json(of: record))
            }
        }
        if unknown.isEmpty { return Response(success: ["users": .array(users)]) }
        return Response(success: ["users": .array(users), "invalid_user_ids": .array(unknown)])
    }

    /// Reads which users are wanted.
    func wanted(_ body: JSONValue) throws(RequestError) -> [Wanted] {
        var wanted: [Wanted] = []
        var listed = 0
        do throws(BackendInputError) {
            for id in try elements("external_ids", body) {
                let id = try UserID(json: id, name: "external_id")
                wanted.append(Wanted(user: .id(id), name: id.rawValue))
            }
            for alias in try elements("user_aliases", body) {
                let alias = try UserAlias(json: alias)
                wanted.append(Wanted(user: .alias(alias), name: alias.name))
            }
            listed = wanted.count
            wanted += try single(body)
        } catch {
            throw .fatal("field_invalid", "\(error.type).")
        }
        guard listed <= IdentityController.limit else {
            throw .fatal(
                "too_many_users",
                "The max number of external_ids and aliases per request was exceeded: \(IdentityController.limit) are "
                    + "possible."
            )
        }
        guard !wanted.isEmpty || body["device_id"]?.string != nil else {
            throw .fatal(
                "field_missing",
                "One of 'external_ids', 'user_aliases', 'braze_id', 'email_address' or 'phone' is required."
            )
        }
        return wanted
    }

    private func single(_ body: JSONValue) throws(BackendInputError) -> [Wanted] {
        var wanted: [Wanted] = []
        if let value = body["braze_id"], !value.isNull {
            let id = try UserID(json: value, name: "braze_id")
            wanted.append(Wanted(user: .id(id), name: id.rawValue))
        }
        if let value = body["email_address"], !value.isNull {
            let address = try UserReference.email(value)
            wanted.append(Wanted(user: .email(address, .usual), name: address))
        }
        if let value = body["phone"], !value.isNull {
            let number = try UserReference.phone(value)
            wanted.append(Wanted(user: .phone(number, .usual), name: number))
        }
        return wanted
    }

    private func elements(_ name: String, _ body: JSONValue) throws(BackendInputError) -> [JSONValue] {
        guard let value = body[name], !value.isNull else { return [] }
        guard let elements = value.array else { throw BackendInputError("'\(name)' has to be an array") }
        return elements
    }

    /// Reads which fields are wanted; `nil` for all of them.
    func fields(_ body: JSONValue) throws(RequestError) -> Set<String>? {
        guard let value = body["fields_to_export"], !value.isNull else { return nil }
        guard let names = value.array?.compactMap(\.string), names.count == value.array?.count else {
            throw .fatal("field_invalid", "'fields_to_export' has to be an array of names.")
        }
        if let index = names.firstIndex(where: { !UserExport.fieldNames.contains($0) }) {
            let known = UserExport.exportedNames.sorted().joined(separator: ", ")
            throw .fatal(
                at: "fields_to_export[\(index)]",
                "'fields_to_export[\(index)]' is no field of a user. Known: \(known)."
            )
        }
        return Set(names)
    }
}
