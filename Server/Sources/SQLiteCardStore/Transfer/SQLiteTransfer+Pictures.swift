import CardModel
import CardStore

/// The pictures of the media library, which are files beside the database and rows of a table elsewhere.
extension SQLiteTransfer {
    /// The table that stores have who keep the bytes of pictures in the database.
    static let pictures = TransferTable(
        "media_files",
        columns: [.init("media_id", .text), .init("width", .integer), .init("bytes", .bytes)],
        key: ["media_id", "width"]
    )

    private struct Picture {
        let id: String
        let width: Int
    }

    /// Every size of every picture that isn't in a bucket, in the order of the key.
    private func allPictures() throws -> [Picture] {
        let sql = "SELECT id, widths FROM media WHERE bucket_folder IS NULL ORDER BY id"
        return try PreparedStatement(sql, on: handle).use { row in
            var pictures: [Picture] = []
            while try row.step() {
                let id = row.text(0)
                guard MediaItem.isID(id) else { throw StoreError.unreadable("a picture's id") }
                // characters: numbers that the server wrote
                let widths = row.text(1).split(separator: " ").compactMap { Int($0) }.sorted()
                pictures += widths.map { Picture(id: id, width: $0) }
            }
            return pictures
        }
    }

    func countOfPictures() throws -> Int64 { Int64(clamping: try allPictures().count) }

    func pictureRows(after key: [TransferValue]?, limit: Int) throws -> [[TransferValue]] {
        var pictures = try allPictures()[...]
        if case .text(let id)? = key?.first, case .integer(let width)? = key?.last {
            let last = String(decoding: id, as: UTF8.self)
            // Ids are hexadecimal digits, so they are in the order of their bytes.
            pictures = pictures.drop { ($0.id, Int64(clamping: $0.width)) <= (last, width) }
        }
        return try pictures.prefix(max(0, limit)).map { picture in
            guard let bytes = mediaFolder.read(picture.id, width: picture.width) else {
                throw StoreError(
                    .corrupt,
                    "A file of the picture \(picture.id) is missing in \(mediaFolder.path). "
                        + "Restore it from a backup, or "
                        + "delete the picture in the dashboard."
                )
            }
            // In the order of the columns' names.
            return [.bytes(bytes), .text(Array(picture.id.utf8)), .integer(Int64(clamping: picture.width))]
        }
    }

    /// Writes files before how far the copy is: those that were written before a crash are written again.
    func appendPictures(_ rows: [[TransferValue]]) throws {
        for values in rows {
            let row = TransferRow(values, of: Self.pictures)
            let (id, width) = (try row.text("media_id"), try row.count("width"))
            guard MediaItem.isID(id) else { throw StoreError.unreadable("a picture's id") }
            try mediaFolder.write([MediaFile(width: width, bytes: try row.optionalBytes("bytes") ?? [])], of: id)
        }
    }
}
