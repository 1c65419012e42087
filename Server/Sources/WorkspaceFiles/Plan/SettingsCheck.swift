import CardModel
import WireJSON

/// Finds every setting of a file that can't be used, by leaving out one after the other.
struct SettingsCheck {
    /// The settings that the server has.
    let known: JSONObject

    /// Returns settings.
    ///
    /// - Throws: `ObjectError` with an error for each member that can't be used.
    func settings(_ members: JSONObject) throws(ObjectError) -> Settings {
        var errors: [ModelError] = []
        var members = members
        while true {
            do throws(ModelError) {
                let settings = try Settings(json: .object(members))
                guard errors.isEmpty else { break }
                return settings
            } catch {
                errors.append(error)
                // Each round leaves out one that differs, so there is an end.
                guard let name = Self.name(in: error.path, of: members), members[name] != known[name] else { break }
                members[name] = known[name]
            }
        }
        throw ObjectError(errors)
    }

    /// Returns everything that is wrong with the members of a file that are settings.
    func errors(in members: JSONObject) -> [ModelError] {
        var all = known
        all.merge(members.filter { Settings.fieldNames.contains($0.key) }) { _, last in last }
        if all["jwks_url"]?.isNull == false { all["jwks"] = nil }
        do throws(ObjectError) {
            _ = try settings(all)
            return []
        } catch {
            return error.errors
        }
    }

    /// The member in which a place is.
    private static func name(in path: String, of members: JSONObject) -> String? {
        members.keys.first { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
    }
}
