import CardModel
import Testing

/// Where a picture is in a bucket, as a row keeps it.
struct BucketFolderTests {
    @Test func `What is written is read`() throws {
        let folder = try #require(BucketFolder(name: "Xy7", sizes: [480: 700, 1_440: 4_096, 960: 2_048]))
        #expect(folder.text == "Xy7 1440:4096 960:2048 480:700")
        #expect(BucketFolder(folder.text) == folder)
    }

    @Test(arguments: [
        "", " ", "a/b 1:1", "../a 1:1", "a 1", "a 1:", "a :1", "a 1:1:1", "a 0:1", "a 1:0", "a 1:-1", "a 1:1 1:2",
        "a 1:99999999999999999999", "é 1:1", "a\n 1:1", "a 1:1x", String(repeating: "a", count: 65) + " 1:1",
    ])
    func `Anything else isn't`(text: String) {
        #expect(BucketFolder(text) == nil)
    }
}
