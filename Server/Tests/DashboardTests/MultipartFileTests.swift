import Foundation
import Testing

@testable import Dashboard

@Suite("Forms with a file")
struct MultipartFileTests {
    private func read(_ body: String, piece: Int, boundary: String = "x") throws -> (MultipartFile, String) {
        var form = try #require(MultipartFile(contentType: "multipart/form-data; boundary=\(boundary)"))
        let bytes = Array(body.utf8)
        var found: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            found += try form.take(bytes[start..<min(start + piece, bytes.count)])
        }
        return (form, String(decoding: found, as: UTF8.self))
    }

    private static let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"ä.csv\"\r\n\r\n"

    @Test("are read in pieces of any size", arguments: Array(1...20) + [1_000])
    func pieces(size: Int) throws {
        let other = "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n"
        let text = "a\r\n--\r\n--y\r\n-x\r\n"
        let body = other + Self.head + text + "\r\n--x--\r\n"
        let (form, found) = try read(body, piece: size)
        #expect(found == text && form.fileName == "ä.csv" && form.isComplete)
        #expect(form.fileSize(ofBody: body.utf8.count) == text.utf8.count)
    }

    @Test("aren't complete without their end")
    func incomplete() throws {
        #expect(try !read(Self.head + "abc", piece: 3).0.isComplete)
        #expect(try read("abc", piece: 3).0.fileName == nil)
        #expect(throws: FormBounds.Exceeded.self) {
            try read("--x\r\n" + String(repeating: "a", count: 10_000), piece: 100)
        }
    }

    @Test("have heads of 4,096 bytes at the most, in one piece as in many", arguments: [1, 100, 100_000])
    func longHeads(piece: Int) throws {
        func form(_ length: Int) -> String {
            let name = "--x\r\nContent-Disposition: form-data; filename=\"a\"\r\n"
            // Of the head counts what is behind the boundary.
            let rest = String(repeating: "a", count: length - name.utf8.count + "--x".utf8.count)
            return name + rest + "\r\n\r\ntext\r\n--x--\r\n"
        }
        #expect(try read(form(4_096), piece: piece).1 == "text")
        #expect(throws: FormBounds.Exceeded.self) { try read(form(4_097), piece: piece) }
    }

    @Test(
        "have names that end at a quotation mark, whatever marks stand beside it",
        arguments: [("\u{301}a.csv", "\u{301}a.csv"), ("a\u{D4E}", "a\u{D4E}"), ("a%22\u{301}", "a\"\u{301}")]
    )
    func marks(name: String, expected: String) throws {
        let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
        let form = try read(head + "text\r\n--x--\r\n", piece: 100).0
        #expect(form.fileName.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test("have no name where the name is only folders")
    func folders() throws {
        let form = try read("--x\r\nContent-Disposition: form-data; filename=\"/\\\"\r\n\r\na", piece: 100).0
        #expect(form.fileName?.isEmpty == true)
    }

    @Test("have a hundred parts at the most, and are read in time that grows with their bytes alone")
    func manyParts() throws {
        let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
        let few = String(repeating: part, count: 99) + Self.head + "text\r\n--x--\r\n"
        let (form, found) = try read(few, piece: 1_000)
        #expect(found == "text" && form.isComplete && form.fileSize(ofBody: few.utf8.count) == 4)
        #expect(throws: FormBounds.Exceeded.self) {
            try read(String(repeating: part, count: 101), piece: 1_000_000)
        }
        // What would be moved for each delimiter is a square: 400 GB here.
        let lines = String(repeating: "\r\n--y", count: 400_000)
        #expect(try read(Self.head + lines + "\r\n--x--\r\n", piece: 10_000_000).1 == lines)
    }

    @Test("have a type with a boundary")
    func types() {
        for type in [
            "", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=a b",
        ] {
            #expect(MultipartFile(contentType: type) == nil, "\(type)")
        }
        #expect(MultipartFile(contentType: "multipart/form-data; boundary=\(String(repeating: "a", count: 71))") == nil)
        #expect(MultipartFile(contentType: "Multipart/Form-Data; Boundary=\"x\"") != nil)
    }
}
