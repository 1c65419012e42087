import CardModel
import CardStore
import Testing

@testable import Dashboard

@Suite("Dashboard: the media library")
struct MediaPageTests {
    @Test("A picture says who uploaded it by the member's name, or by the address where there is none")
    func author() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.editor)
            let tess = TeamMember(
                email: "tess@example.com",
                name: "Tess",
                role: .editor,
                passwordHash: try TestPassword.hash,
                createdAt: place.time.now
            )
            try await place.store.insertMember(tess, by: .command)
            for (letter, email) in [("a", "tess@example.com"), ("b", "editor@example.com")] {
                let picture = MediaItem(
                    id: String(repeating: letter, count: 32),
                    name: "\(letter).png",
                    format: .png,
                    width: 1,
                    height: 1,
                    widths: [1],
                    bytes: 1,
                    createdAt: place.time.now,
                    createdBy: email
                )
                let files = [MediaFile(width: 1, bytes: [1])]
                _ = try await place.store.addMedia(picture, files: files, totalBytes: 100, by: .command)
            }
            let page = try await visitor.get("/dashboard/media").text
            #expect(page.contains("by Tess") && page.contains("by editor@example.com"))
            #expect(!page.contains("tess@example.com"))
        }
    }
}
