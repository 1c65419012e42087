package import CardModel
import WireJSON

extension MediaItem {
    /// Restores a picture from its row.
    package init(_ row: some StoredRow) throws {
        guard let format = ImageFormat(rawValue: try row.text("format")) else {
            throw StoreError.unreadable("a picture of an unknown format")
        }
        self.init(
            id: try row.text("id"),
            name: try row.text("name"),
            alt: try row.text("alt"),
            format: format,
            width: try row.count("width"),
            height: try row.count("height"),
            frames: try row.count("frames"),
            widths: try row.text("widths").split(at: " ").compactMap { Int($0) },
            bytes: try row.count("bytes"),
            createdAt: try row.double("created_at"),
            createdBy: try row.text("created_by"),
            location: try Self.place(try row.optionalText("bucket_folder"))
        )
    }

    private static func place(_ text: String?) throws -> MediaPlace {
        guard let text else { return .store }
        guard let folder = BucketFolder(text) else { throw StoreError.unreadable("a picture's place in a bucket") }
        return .bucket(folder)
    }

    /// The place in a bucket as a row keeps it, or `nil` where the store has the bytes.
    package var bucketFolderText: String? {
        switch location {
        case .store: nil
        case .bucket(let folder): folder.text
        }
    }

    /// The widths as a row keeps them.
    package var widthsText: String { widths.map(String.init).joined(separator: " ") }
}

extension MediaTotals {
    /// Restores totals from their row.
    package init(_ row: some StoredRow) throws {
        self.init(
            count: try row.count("count"),
            bytes: try row.count("bytes"),
            deletedBytes: try row.count("deleted_bytes")
        )
    }
}
