import CardModel
import OrderedCollections
import UserImport
import WireJSON

/// The heading of a CSV file of users: which column says what of a profile.
struct ExportedColumns {
    private enum Column {
        case profile(String)
        case custom(String)
        /// Says of a channel that the user wants it, or doesn't; the value is when they said so.
        case subscription(String, String)
    }

    /// Columns of the dashboard's export that profiles have by another name.
    private static let renamed = [
        "user_id": "external_id", "date_of_birth": "dob", "city": "home_city", "phone_number": "phone",
        "timezone": "time_zone", "Braze ID": "braze_id", "Appboy ID": "braze_id",
    ]
    private static let subscriptions = [
        "opted_in_to_emails_at": ("email_subscribe", "opted_in"),
        "unsubscribed_from_emails_at": ("email_subscribe", "unsubscribed"),
        "opted_into_push_at": ("push_subscribe", "opted_in"),
        "unsubscribed_from_push_at": ("push_subscribe", "unsubscribed"),
    ]
    /// Columns that are no attributes, and that are left out as the same fields of a profile are.
    private static let others: Set<String> = [
        "external_id", "braze_id", "created_at", "created_from", "devices", "first_session", "last_session",
        "google_ad_ids", "roku_ad_ids", "windows_ad_ids", "IDFAs", "IDFVs", "last_app_version_used",
        "number_of_google_ad_ids", "number_of_IDFAs", "number_of_IDFVs", "number_of_push_tokens",
        "number_of_roku_ad_ids", "number_of_windows_ad_ids", "random_bucket", "session_count",
        "in_app_purchase_total", "user_aliases",
    ]

    private let columns: [Column]

    /// Reads a heading.
    ///
    /// - Throws: `ImportError` where no column has ids, or two have the same name.
    init(_ row: CSVRow) throws(ImportError) {
        let names = row.fields.map { Self.renamed[$0.text] ?? $0.text }
        guard Set(names.map { ByteString($0) }).count == names.count, !names.contains("") else {
            throw ImportError("Two columns have the same name, or one has none.")
        }
        guard names.contains("external_id") else {
            throw ImportError("The heading needs a column user_id or external_id.")
        }
        columns = names.map { name in
            if let (attribute, value) = Self.subscriptions[name] { return .subscription(attribute, value) }
            let isKnown = StandardAttribute(rawValue: name) != nil || Self.others.contains(name)
            return isKnown ? .profile(name) : .custom(name)
        }
    }

    /// Turns a row into a profile; an empty field says nothing.
    ///
    /// - Throws: `ImportError` where the row has another number of fields.
    func profile(_ row: CSVRow) throws(ImportError) -> JSONObject {
        guard row.fields.count == columns.count else {
            throw ImportError(
                row.fields.count == 1
                    ? "The row has 1 field; the heading has \(columns.count)."
                    : "The row has \(row.fields.count) fields; the heading has \(columns.count)."
            )
        }
        var profile: JSONObject = [:]
        var custom: JSONObject = [:]
        var subscriptions: JSONObject = [:]
        for (column, field) in zip(columns, row.fields) where !field.text.isEmpty {
            switch column {
            case .profile(let name): profile[name] = .string(field.text)
            case .custom(let name):
                custom[name] = field.isQuoted ? .string(field.text) : CSVValue.inferred(field.text)
            case .subscription(let name, let value):
                // Where both are there, a user who wants nothing gets nothing.
                if subscriptions[name] != "unsubscribed" { subscriptions[name] = .string(value) }
            }
        }
        // So it is where another column has the state itself, in whichever order they stand.
        for (name, value) in subscriptions where profile[name] != "unsubscribed" { profile[name] = value }
        profile["custom_attributes"] = .object(custom)
        return profile
    }
}
