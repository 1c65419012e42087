import CardModel
import CardServer
import CardStore
import Foundation
import HTTPTypes
import Testing
import WireJSON

@testable import Dashboard

@Suite("Dashboard: users by file")
struct ImportPageTests {
    private static let root = "/dashboard/users/imports"

    /// A browser with a script that uploads files.
    private struct Uploader {
        let visitor: Visitor
        let token: String

        init(_ visitor: Visitor) async throws {
            self.visitor = visitor
            token = try #require(try await visitor.get(root).token)
        }

        func send(_ path: String, _ body: String = "") async throws -> (status: Int, json: JSONValue) {
            let headers: HTTPFields = [.placardForm: token, .contentType: "application/octet-stream"]
            let page = try await visitor.send(.post, path, body, headers)
            return (page.status, try JSONValue(parsing: page.text))
        }

        func begin(_ name: String, size: Int, fingerprint: String = "f") async throws -> (status: Int, json: JSONValue)
        {
            try await send("\(root)/begin?name=\(FormData.escape(name))&size=\(size)&fingerprint=\(fingerprint)")
        }

        /// Uploads a whole file, and returns its import.
        func upload(_ text: String, _ name: String = "users.csv") async throws -> String {
            let id = try #require(try await begin(name, size: text.utf8.count).json["id"]?.string)
            let answer = try await send("\(root)/\(id)/piece?offset=0", text)
            #expect(answer.json["received"]?.integer == Int64(text.utf8.count))
            return id
        }
    }

    @Test("A file is uploaded in pieces, gone on with after a break, and shown before anything is imported")
    func upload() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let uploader = try await Uploader(emil)
            let text = "Customer ID,E-Mail,plan\nu1,a@b.example,pro\nu2,b@b.example,\n"
            let begun = try await uploader.begin("users.csv", size: text.utf8.count)
            let id = try #require(begun.json["id"]?.string)
            #expect(begun.json["received"] == 0)
            let half = String(text.prefix(20))
            #expect(try await uploader.send("\(Self.root)/\(id)/piece?offset=0", half).json["received"] == 20)
            #expect(try await emil.get("\(Self.root)/\(id)").text.contains("The upload isn’t complete"))

            // The page was closed, and the file is chosen again.
            let again = try await uploader.begin("users.csv", size: text.utf8.count)
            #expect(again.json["id"]?.string == id && again.json["received"] == 20)
            let rest = String(text.dropFirst(20))
            _ = try await uploader.send("\(Self.root)/\(id)/piece?offset=20", rest)

            let page = try await emil.get("\(Self.root)/\(id)").text
            for option in ["user_id", "attribute:email", "custom:automatic"] {
                #expect(page.contains("value=\"\(option)\" selected"), "\(option)")
            }
            #expect(page.contains(">a@b.example</td>"))
            #expect(try await place.store.userCount() == 0)
        }
    }

    @Test("An import starts with the chosen columns, and what can't be imported so is said beside them")
    func start() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let id = try await Uploader(emil).upload("nr,plan\n1,pro\n")
            let page = "\(Self.root)/\(id)"
            let wrong = try await emil.send(.post, "\(page)/start", try await form(emil, page, ["skip", "skip"]))
            #expect(wrong.status == 422 && wrong.text.contains("Choose the column that has the user ID."))
            #expect(wrong.text.contains("value=\"skip\" selected"))
            #expect(FormMarks(of: wrong.text).problems == ["column": "Choose the column that has the user ID."])
            let made = try await emil.send(.post, "\(page)/start", try await form(emil, page, ["user_id", "nothing"]))
            #expect(made.status == 400)
            let job = try #require(try await place.store.importJob(id))
            #expect(job.status == .uploading)

            let right = try await emil.send(
                .post,
                "\(page)/start",
                try await form(emil, page, ["user_id", "custom:text"])
            )
            #expect(right.status == 303 && right.location == page)
            let started = try #require(try await place.store.importJob(id))
            #expect(started.plan?.contains("custom:text") == true && started.startedAt != nil)
            #expect(try await place.audit().contains("user.import"))
            let later = try await emil.send(.post, "\(page)/start", try await form(emil, page, ["user_id", "skip"]))
            #expect(later.status == 409)
        }
    }

    private func form(_ visitor: Visitor, _ page: String, _ columns: [String]) async throws -> String {
        let token = try #require(try await visitor.get(page).token)
        return "csrf=\(token)" + columns.map { "&column=\(FormData.escape($0))" }.joined()
    }

    @Test("What a file would not be accepted for is said before it is sent")
    func refusals() async throws {
        try await Workplace.run { place in
            let uploader = try await Uploader(try await place.member(.editor))
            for (name, size, status) in [
                ("users.xlsx", 10, 415), ("users.csv", 0, 422), ("users.csv", ImportJob.fileBytes + 1, 413),
                ("users.csv", -1, 422), ("users\u{7}.csv", 10, 400),
                (String(repeating: "a", count: 300) + ".csv", 10, 400),
            ] {
                let answer = try await uploader.begin(name, size: size)
                #expect(answer.status == status, "\(name) \(size)")
                #expect(answer.json["error"]?.string?.isEmpty == false)
            }
            for number in 0..<ImportJob.openLimit {
                #expect(try await uploader.begin("users.csv", size: 10, fingerprint: "\(number)").status == 200)
            }
            #expect(try await uploader.begin("users.csv", size: 10, fingerprint: "x").status == 409)
        }
    }

    @Test("Pieces of another member's file, and larger ones than fit, are refused")
    func pieces() async throws {
        try await Workplace.run { place in
            let emil = try await Uploader(try await place.member(.editor))
            let id = try #require(try await emil.begin("users.csv", size: 3).json["id"]?.string)
            let mallory = try await Uploader(try await place.member(.editor, email: "m@example.com"))
            #expect(try await mallory.send("\(Self.root)/\(id)/piece?offset=0", "abc").status == 404)
            for offset in ["-1", "x", "99999999999999999999", "1"] {
                #expect(try await emil.send("\(Self.root)/\(id)/piece?offset=\(offset)", "abc").json["received"] == 0)
            }
            #expect(try await emil.send("\(Self.root)/\(id)/piece?offset=0", "abcd").json["received"] == 0)
            #expect(try await emil.send("\(Self.root)/\(id)/piece?offset=0", "abc").json["received"] == 3)
            #expect(try await emil.send("\(Self.root)/none/piece?offset=0", "abc").status == 404)
        }
    }

    @Test("A browser without a script sends the whole file in one form")
    func wholeFile() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let rows = (1...90_000).map { "u\($0),pro\r\n" }.joined()
            let text = "user_id,plan\r\n" + rows
            #expect(text.utf8.count > ImportJob.pieceBytes)
            let answer = try await send(text, "C:\\files\\users.csv", by: emil)
            #expect(answer.status == 303, "\(answer.text)")
            let job = try #require(try await place.store.importJobs(offset: 0, limit: 1).first)
            #expect(answer.location == "\(Self.root)/\(job.id)")
            #expect(job.fileName == "users.csv" && job.isReady && job.size == text.utf8.count)
            let edge = (ImportJob.pieceBytes - 5)..<(ImportJob.pieceBytes + 5)
            #expect(try await place.store.importBytes(job.id, in: edge) == Array(Array(text.utf8)[edge]))
        }
    }

    @Test("A form without a file, or whose file is cut off, imports nothing")
    func brokenForms() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            #expect(try await send("", "", by: emil).status == 400)
            #expect(try await send("user_id\nu1\n", "users.csv", by: emil, end: "\r\n--x--garbage").status == 400)
            #expect(try await send("user_id\nu1\n", "users.xlsx", by: emil).status == 400)
            #expect(try await place.store.importJobs(offset: 0, limit: 9).allSatisfy { !$0.status.isOpen })
        }
    }

    private func send(
        _ text: String,
        _ name: String,
        by visitor: Visitor,
        end: String = "\r\n--x--\r\n"
    ) async throws -> Visitor.Page {
        let head =
            "--x\r\nContent-Disposition: form-data; name=\"file\"; "
            + "filename=\"\(name)\"\r\nContent-Type: text/csv\r\n\r\n"
        let token = try #require(try await visitor.get(Self.root).text.firstMatch(of: /csrf=([^"&]+)"/)).1
        return try await visitor.send(
            .post,
            "\(Self.root)/upload?csrf=\(token)",
            head + text + end,
            [.contentType: "multipart/form-data; boundary=x"]
        )
    }

    @Test("An import is canceled, and its errors are a file")
    func cancelAndErrors() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let id = try await Uploader(emil).upload("user_id\nu1\n")
            let canceled = try await emil.post("\(Self.root)/\(id)/cancel", from: "\(Self.root)/\(id)")
            #expect(canceled.status == 303)
            #expect(try await place.store.importJob(id)?.status == .canceled)
            #expect(try await emil.get("\(Self.root)/\(id)").text.contains("Import canceled"))
            #expect(try await emil.get(Self.root).text.contains("Canceled"))
            let file = try await emil.get("\(Self.root)/\(id)/errors")
            #expect(file.text == "line,reason\r\n" && file.headers[.contentType] == "text/csv; charset=utf-8")
        }
    }

    @Test("Imports that are begun and canceled again and again are refused for a while")
    func manyBegun() async throws {
        func stopTime(_ options: inout PlacardServer.Options) { options.uptime = { 1_000 } }
        try await Workplace.run(change: stopTime) { place in
            let emil = try await place.member(.editor)
            let uploader = try await Uploader(emil)
            for number in 0..<30 {
                let begun = try await uploader.begin("users.csv", size: 10, fingerprint: "\(number)")
                let id = try #require(begun.json["id"]?.string)
                #expect(try await emil.post("\(Self.root)/\(id)/cancel", from: "\(Self.root)/\(id)").status == 303)
            }
            #expect(try await uploader.begin("users.csv", size: 10, fingerprint: "x").status == 429)
            #expect(try await place.store.importJobs(offset: 0, limit: 100).count == 30)
            let other = try await Uploader(try await place.member(.editor, email: "m@example.com"))
            #expect(try await other.begin("users.csv", size: 10, fingerprint: "x").status == 200)
        }
    }

    @Test("An import runs on the server, and its page says how it went, with the lines that were rejected")
    func result() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let bad = (1...28).map { "\"x\($0)\"y,1\n" }.joined()
            let id = try await Uploader(emil).upload("user_id,n\nu1,1\n" + bad)
            let page = "\(Self.root)/\(id)"
            let started = try await emil.send(
                .post,
                "\(page)/start",
                try await form(emil, page, ["user_id", "custom:number"])
            )
            #expect(started.status == 303)
            while try await place.store.importJob(id)?.status == .running { await Task.yield() }
            #expect(try await place.store.userCount() == 1)
            let text = try await emil.get(page).text
            #expect(text.contains("Import finished with errors") && text.contains("1 user"))
            #expect(
                try await emil.get(Self.root).text.contains("<span class=\"badge warn\">Finished with errors</span>")
            )
            #expect(text.contains("After a closing quote a comma is expected.") && text.contains("And 8 more"))
            let part = try await emil.get("\(page)?part=progress").text
            #expect(part.contains("Import finished with errors") && !part.contains("<html"))
            let lines = try await emil.get("\(page)/errors").text.split(separator: "\r\n")
            #expect(lines.count == 29 && lines.last?.hasPrefix("30,") == true)
            #expect(try await place.audit().contains("user.import-end"))
        }
    }

    @Test("Viewers see no imports and no link to them")
    func viewers() async throws {
        try await Workplace.run { place in
            let id = try await Uploader(try await place.member(.editor)).upload("user_id\nu1\n")
            let viewer = try await place.member(.viewer)
            for path in [Self.root, "\(Self.root)/\(id)", "\(Self.root)/\(id)/errors"] {
                #expect(try await viewer.get(path).status == 403)
            }
            #expect(try await !viewer.get("/dashboard/users").text.contains(Self.root))
        }
    }

    @Test("Who uploaded a file is told by name, or by the address where there is none")
    func author() async throws {
        try await Workplace.run { place in
            let emil = try await place.member(.editor)
            let id = try await Uploader(emil).upload("user_id\nu1\n")
            for path in [Self.root, "\(Self.root)/\(id)"] {
                #expect(try await emil.get(path).text.contains("editor@example.com"), "\(path)")
            }
            let tess = TeamMember(
                email: "tess@example.com",
                name: "Tess",
                role: .editor,
                passwordHash: try TestPassword.hash,
                createdAt: place.time.now
            )
            try await place.store.insertMember(tess, by: .command)
            let visitor = Visitor(client: place.client)
            _ = try await visitor.signIn("tess@example.com")
            let own = try await Uploader(visitor).upload("user_id\nu2\nu3\n", "more.csv")
            for path in [Self.root, "\(Self.root)/\(own)"] {
                let text = try await emil.get(path).text
                #expect(text.contains("Tess") && !text.contains("tess@example.com"), "\(path)")
            }
        }
    }
}
