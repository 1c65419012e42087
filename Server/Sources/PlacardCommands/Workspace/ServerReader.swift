import CardModel
import Foundation
import WireJSON
import WorkspaceFiles

/// Reads the objects of a server by pages.
struct ServerReader {
    private static let pageSize = 1_000
    /// The maximum number of times that lists that change all the while are read.
    private static let attempts = 5

    let client: ManagementClient

    /// Reads all objects of some kinds, the archived as well.
    func read(_ kinds: Set<ObjectKind>) async throws -> ServerState {
        var state = ServerState()
        for kind in kinds.sorted() {
            for json in try await objects(kind) {
                do {
                    let object = try ServerObject(kind, json: json)
                    state.objects[object.object.reference] = object
                } catch {
                    let reason = error.errors.first.map { "\($0)" } ?? ""
                    throw CommandError(
                        "The server has a \(kind.rawValue) that this command can't read: \(reason) Is the server newer?"
                    )
                }
            }
        }
        return state
    }

    private func objects(_ kind: ObjectKind) async throws -> [JSONValue] {
        switch kind {
        case .settings: [try await settings()]
        case .contentType: try await client.get("content-types")["types"]?.array ?? []
        case .contentBlock: try await client.get("content-blocks")["content_blocks"]?.array ?? []
        case .segment: try await all("segments", [[URLQueryItem(name: "include_archived", value: "true")]])
        case .campaign: try await all("campaigns", [[], [URLQueryItem(name: "status", value: "archived")]])
        }
    }

    private func settings() async throws -> JSONValue {
        do {
            return try await client.get("settings")
        } catch let refusal as ServerError where refusal.code == "permission_denied" {
            throw CommandError(
                "This key isn't allowed to read settings. "
                    + "Give it the permission settings, or leave them out with --only."
            )
        }
    }

    /// Reads all pages of lists of one kind.
    ///
    /// Lists begin with what was changed last, so that a change in between moves what is on later pages. Any change of
    /// that kind also changes what comes first: where that is as it was, no page was missed.
    private func all(_ path: String, _ lists: [[URLQueryItem]]) async throws -> [JSONValue] {
        for _ in 0..<Self.attempts {
            var (elements, firsts): ([JSONValue], [JSONValue?]) = ([], [])
            for list in lists {
                let found = try await pages(path, list, limit: Self.pageSize)
                elements += found
                firsts.append(found.first)
            }
            var isSame = true
            for (list, first) in zip(lists, firsts) {
                isSame = try await page(path, list, limit: 1, offset: 0).first == first && isSame
            }
            if isSame { return elements }
        }
        throw CommandError("The \(path) of the server change all the while. Try again in a moment.")
    }

    /// Reads all pages of a list.
    ///
    /// Where a page has more bytes than the server gives at once, the next try asks for fewer objects.
    func pages(_ path: String, _ query: [URLQueryItem], limit size: Int) async throws -> [JSONValue] {
        var (elements, limit): ([JSONValue], Int) = ([], size)
        while true {
            do {
                let page = try await page(path, query, limit: limit, offset: elements.count)
                elements += page
                if page.count < limit { return elements }
            } catch let refusal as ServerError where refusal.code == "page_too_large" && limit > 1 {
                limit = max(1, limit / 4)
            }
        }
    }

    private func page(_ path: String, _ query: [URLQueryItem], limit: Int, offset: Int) async throws -> [JSONValue] {
        let part = [URLQueryItem(name: "limit", value: "\(limit)"), URLQueryItem(name: "offset", value: "\(offset)")]
        return try await client.get(path, query: query + part)[path]?.array ?? []
    }
}
