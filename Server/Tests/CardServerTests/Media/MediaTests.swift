import CardModel
import Foundation
import HTTPTypes
import LiveTesting
import NIOCore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// The media library over HTTP, with real pictures and the real library.
@Suite(.serialized)
struct MediaTests {
    @Test func `An uploaded picture is served at an address that never changes`() async throws {
        try await Workspace.run { space in
            let uploaded = try await space.upload(Picture.widePNG, "?name=Summer%20Sale!.jpeg&alt=Two%20colours")
            #expect(uploaded.status == 201)
            let item = uploaded.json
            #expect(item["name"]?.string == "Summer Sale!.jpeg")
            #expect(item["url"]?.string?.hasSuffix("/summer-sale.png") == true)
            #expect(item["alt"]?.string == "Two colours")
            #expect(item["format"]?.string == "png")
            #expect(item["width"]?.integer == 1_440)
            #expect(item["height"]?.integer == 810)
            let urls = try #require(item["sizes"]?.array).compactMap { $0["url"]?.string }
            #expect(item["sizes"]?.array?.compactMap { $0["width"]?.integer } == [1_440, 960, 480])
            #expect(urls.first == item["url"]?.string)
            for (url, width) in zip(urls, ImageLimits.widths) {
                let path = try #require(URL(string: url)).path
                let file = try await space.file(path)
                #expect(file.status == 200)
                #expect(file.headers[.contentType] == "image/png")
                #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable")
                #expect(file.headers[.xContentTypeOptions] == "nosniff")
                #expect(try PictureHeader(of: file.bytes).width == width)
                let tag = try #require(file.headers[.eTag])
                let known = try await space.file(path, headers: [.ifNoneMatch: "\"x\", \(tag)"])
                #expect(known.status == 304)
                #expect(known.bytes.isEmpty)
                let head = try await space.file(path, .head)
                #expect(head.status == 200)
                #expect(head.headers[.contentLength] == String(file.bytes.count))
                #expect(head.bytes.isEmpty)
            }
        }
    }

    @Test func `All who load a picture share its pieces, and few are read from the store at a time`() async throws {
        try await Workspace.run { space in
            let id = try #require(try await space.upload(Picture.widePNG).json["id"]?.string)
            let reads = Mutex((now: 0, most: 0, all: 0))
            let files = PictureFiles { file, range in
                reads.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                defer { reads.withLock { $0.now -= 1 } }
                await Task.yield()
                return try await space.store.mediaFile(file.id, width: file.width, in: range)
            }
            let expected = try #require(try await space.store.mediaFile(id, width: 480))
            let places = [(480, 0), (960, 0), (1_440, 0), (480, 9)]
            try await withThrowingTaskGroup(of: (Int, Int, ByteBuffer).self) { group in
                for _ in 0..<50 {
                    for (width, number) in places {
                        let file = PictureFiles.File(id: id, width: width, createdAt: 0)
                        group.addTask { (width, number, try await files.piece(number, of: file)) }
                    }
                }
                for try await (width, number, piece) in group where width == 480 {
                    #expect(Array(piece.readableBytesView) == (number == 0 ? expected : []))
                }
            }
            #expect(reads.withLock { $0.all } == places.count)
            #expect(reads.withLock { $0.most } <= PictureFiles.readerLimit)
            await #expect(throws: RequestError.self) {
                _ = try await files.piece(0, of: PictureFiles.File(id: id, width: 7, createdAt: 0))
            }
        }
    }

    @Test func `However much is loaded, no more than some bytes of it are kept`() async throws {
        let files = PictureFiles { _, range in [UInt8](repeating: 7, count: range.count) }
        let file = PictureFiles.File(id: "a", width: 1, createdAt: 0)
        let limit = PictureFiles.capacity / PictureFiles.pieceSize
        for number in 0..<limit + 20 {
            #expect(try await files.piece(number, of: file).readableBytes == PictureFiles.pieceSize)
            #expect(files.heldBytes == min(number + 1, limit) * PictureFiles.pieceSize)
        }
    }

    @Test func `An alternative text has neither control nor directional characters`() async throws {
        try await Workspace.run { space in
            for alt in ["%00", "a%0D%0Ab", "%E2%80%AE"] {
                #expect(try await space.upload(Picture.alphaPNG, "?alt=\(alt)").path == "alt")
            }
            let id = try #require(try await space.upload(Picture.alphaPNG, "?alt=").json["id"]?.string)
            #expect(try await space.manage(.patch, "/v1/media/\(id)", ["alt": "a\u{0}"]).status == 400)
            #expect(try await space.manage(.patch, "/v1/media/\(id)", ["alt": ""]).status == 200)
        }
    }

    @Test func `The same picture is kept once, whatever it is called`() async throws {
        try await Workspace.run { space in
            let first = try await space.upload(Picture.alphaPNG, "?name=a.png")
            let second = try await space.upload(Picture.alphaPNG, "?name=b.png")
            #expect([first.status, second.status] == [201, 200] as [Int])
            #expect(first.json["url"] == second.json["url"])
            let list = try await space.manage(.get, "/v1/media").json
            #expect(list["media"]?.array?.count == 1)
            #expect(list["bytes"] == first.json["bytes"])
        }
    }

    @Test(arguments: [
        ("jpeg", Picture.rotatedJPEG, 48, 64, 1), ("jpeg", Picture.cmykJPEG, 64, 48, 1),
        ("png", Picture.alphaPNG, 40, 30, 1), ("png", Picture.deepPNG, 20, 20, 1),
        ("webp", Picture.photoWebP, 64, 48, 1), ("webp", Picture.movingWebP, 32, 24, 3),
        ("gif", Picture.stillGIF, 32, 24, 1), ("gif", Picture.movingGIF, 32, 24, 3),
    ])
    func `Each format is processed, and an animation stays one`(
        format: String,
        bytes: [UInt8],
        width: Int,
        height: Int,
        frames: Int
    ) async throws {
        let job = ImageJob(format: try #require(ImageFormat(rawValue: format)))
        let sizes = try ImageSubprocess.patient.process(bytes, job)
        #expect(sizes.count == 1)
        let size = try #require(sizes.first)
        #expect([size.width, size.height, size.frames] == [width, height, frames] as [Int])
        let header = try PictureHeader(of: size.bytes)
        #expect(header.format == job.format)
        #expect([header.width, header.height, header.frames] == [width, height, frames] as [Int])
        let text = String(decoding: size.bytes, as: UTF8.self)
        #expect(!text.contains("Secret") && !text.contains("secret"))
        // Made of itself, it is itself again: an orientation that was applied isn't applied twice.
        let again = try #require(try ImageSubprocess.patient.process(size.bytes, job).first)
        #expect([again.width, again.height] == [width, height] as [Int])
    }

    @Test func `A part is cut out, and one outside of the picture is refused`() async throws {
        try await Workspace.run { space in
            let part = try await space.upload(Picture.widePNG, "?crop=700,0,800,450")
            #expect(part.json["width"]?.integer == 800)
            #expect(part.json["height"]?.integer == 450)
            for crop in ["900,0,800,900", "0,0,0,5", "-1,0,5,5", "0,0,5", "9223372036854775807,0,1,1", "a,b,c,d"] {
                #expect(try await space.upload(Picture.widePNG, "?crop=\(crop)").path == "crop")
            }
            #expect(try await space.upload(Picture.movingGIF, "?crop=0,0,8,8").path == "crop")
        }
    }

    @Test func `What is no picture is refused by its content, whatever it is called`() async throws {
        try await Workspace.run { space in
            let vector = Array("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
            let refused = try await space.upload(vector, "?name=a.png", type: "image/png")
            #expect(refused.status == 415)
            #expect(refused.code == "image_format_unsupported")
            #expect(refused.text.contains("SVG"))
            let page = Array("<html><script>alert(1)</script></html>".utf8)
            #expect(try await space.upload(page, type: "image/jpeg").code == "image_format_unsupported")
            #expect(try await space.upload([], type: "image/jpeg").code == "image_format_unsupported")
            let cut = Array(Picture.rotatedJPEG.prefix(700))
            #expect(try await space.upload(cut).code == "image_unreadable")
            #expect(try await space.upload(Array(Picture.movingGIF.dropLast(20))).code == "image_unreadable")
            #expect(try await space.upload(Array(Picture.photoWebP.dropLast(20))).code == "image_unreadable")
            // A picture with a page behind it: what is served is made of the pixels alone.
            let both = try await space.upload(Picture.stillGIF + page)
            #expect(both.status == 201)
            let path = try #require(both.json["url"]?.string.flatMap(URL.init(string:))).path
            let served = try await space.file(path)
            #expect(!String(decoding: served.bytes, as: UTF8.self).contains("script"))
        }
    }

    @Test func `Too many bytes, pixels or frames are refused before a decoder is asked`() async throws {
        try await Workspace.run { space in
            var wide = Picture.alphaPNG
            wide.replaceSubrange(16..<24, with: [0, 0, 0x30, 0, 0, 0, 0x30, 0])
            #expect(try await space.upload(wide).code == "image_too_large")
            wide.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1])
            #expect(try await space.upload(wide).code == "image_too_large")
            let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
            let head: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            let long = head + Array(repeatElement(frame, count: 301).joined()) + [0x3B]
            #expect(try await space.upload(long).code == "image_too_large")
            // Without the bytes: the server answers before it has them, and ends the connection.
            let request = """
                POST /v1/media HTTP/1.1\r\nHost: placard\r\nAuthorization: Bearer \(space.secret)\r\n\
                Content-Type: image/png\r\nContent-Length: \(ImageLimits.bytes + 1)\r\n\r\n
                """
            let large = try await RawConnection(to: try space.endpoint).exchange([request], count: 1).first
            #expect(large?.status == 413)
            #expect(large?.body.contains("body_too_large") == true)
        }
    }

    @Test func `A picture that is used is deleted only by force`() async throws {
        try await Workspace.run { space in
            let url = try #require(try await space.upload(Picture.alphaPNG).json["url"]?.string)
            let id = try #require(URL(string: url)).pathComponents[2]
            try await space.create(
                "sale",
                card: ["type": "captioned_image", "title": "a", "description": "b", "image": .string(url)]
            )
            let used = try await space.manage(.get, "/v1/media/\(id)").json["used_by"]
            #expect(used?.array?.compactMap { $0["id"]?.string } == ["sale"])
            let refused = try await space.manage(.delete, "/v1/media/\(id)")
            #expect(refused.status == 409)
            #expect(refused.code == "media_in_use")
            #expect(try await space.manage(.delete, "/v1/media/\(id)?force=true").status == 204)
            #expect(try await space.manage(.delete, "/v1/media/\(id)?force=true").status == 404)
            #expect(try await space.file("/media/\(id)/picture.png").status == 404)
        }
    }

    @Test func `Names and widths that aren't the picture's lead nowhere`() async throws {
        try await Workspace.run { space in
            let url = try #require(
                try await space.upload(Picture.widePNG, "?name=../../etc/passwd").json["url"]?.string
            )
            let id = try #require(URL(string: url)).pathComponents[2]
            #expect(url.hasSuffix("/media/\(id)/passwd.png"))
            for path in [
                "/media/\(id)/passwd.html", "/media/\(id)/passwd.png/481", "/media/\(id)/passwd.png/0480",
                "/media/\(id)/%2e%2e/passwd.png", "/media/..%2f..%2fplacard.sqlite/passwd.png",
                "/media/\(id.uppercased())/passwd.png", "/media/\(id)-480/passwd.png",
            ] {
                #expect(try await space.file(path).status == 404, "\(path)")
            }
        }
    }

    private static func withLittleRoom(_ options: inout PlacardServer.Options) { options.mediaBytes = 20_000 }

    private static func withAddress(_ options: inout PlacardServer.Options) {
        options.publicURL = "https://cards.example.com/"
    }

    @Test func `Uploading needs the permission, room and patience`() async throws {
        try await Workspace.run(change: Self.withLittleRoom) { space in
            let publishable = try await space.upload(Picture.alphaPNG, key: space.publishable)
            #expect(publishable.code == "permission_denied")
            #expect(try await space.upload(Picture.alphaPNG, key: nil).code == "key_missing")
            let made = try await space.manage(
                .post,
                "/v1/keys",
                ["name": "r", "kind": "secret", "permissions": ["read"]]
            )
            let reader = try #require(made.json["secret"]?.string)
            #expect(try await space.upload(Picture.alphaPNG, key: reader).code == "permission_denied")
            var last = 201
            for left in 0..<32 where last == 201 || last == 200 {
                last = try await space.upload(Picture.widePNG, "?crop=\(left),0,1440,810").status
            }
            #expect(last == 507 || last == 429)
        }
    }

    @Test func `The address is the one that is set, or the one that was asked`() async throws {
        try await Workspace.run(change: Self.withAddress) { space in
            let url = try await space.upload(Picture.alphaPNG).json["url"]?.string ?? ""
            #expect(url.hasPrefix("https://cards.example.com/media/"))
        }
        try await Workspace.run { space in
            let url = try await space.upload(Picture.alphaPNG).json["url"]?.string ?? ""
            #expect(url.hasPrefix("http://"))
            #expect(url.contains("/media/"))
        }
    }

    @Test func `A worker that is missing, slow or broken is an error, and no picture`() throws {
        var worker = ImageSubprocess()
        worker.program = "/nonexistent/placard"
        #expect(throws: ImageProcessingError.self) { try worker.process([1], ImageJob(format: .png)) }
        worker.program = "/bin/false"
        #expect(throws: ImageProcessingError.failed("status 1")) { try worker.process([1], ImageJob(format: .png)) }
        #expect(throws: ImageProcessingError.unreadable) {
            try ImageSubprocess.patient.process(Array(Picture.rotatedJPEG.prefix(700)), ImageJob(format: .jpeg))
        }
        let (width, many): ([UInt8], [UInt8]) = ([0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(WorkerEnd.read(width + width + width + many) == nil)
        #expect(WorkerEnd.read([1, 2]) == nil)
        #expect(WorkerEnd.read(width + width + width + width + [7])?.first?.bytes == [7])
    }
}

/// A file as the server sends it.
struct ServedFile: Sendable {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]
}

extension Workspace {
    /// Uploads a picture with the secret key.
    func upload(_ bytes: [UInt8], _ query: String = "", type: String = "image/png") async throws -> Answer {
        try await upload(bytes, query, type: type, key: secret)
    }

    /// Uploads a picture with that key.
    func upload(
        _ bytes: [UInt8],
        _ query: String = "",
        type: String = "image/png",
        key: String?
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: type]
        if let key { headers[.authorization] = "Bearer \(key)" }
        return try await client.execute(
            uri: "/v1/media\(query)",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: bytes)
        ) { response in
            let text = String(buffer: response.body)
            return Answer(
                status: response.status.code,
                headers: response.headers,
                json: (try? JSONValue(parsing: text)) ?? .null,
                text: text
            )
        }
    }

    /// Loads a file without a key.
    func file(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:]
    ) async throws -> ServedFile {
        try await client.execute(uri: path, method: method, headers: headers, body: nil) { response in
            ServedFile(
                status: response.status.code,
                headers: response.headers,
                bytes: Array(response.body.readableBytesView)
            )
        }
    }
}
