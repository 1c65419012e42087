import CardModel
public import CardStore
import Foundation

extension SQLiteCardStore {
    /// The folder that holds the pictures of a database, or of a backup.
    public static func mediaPath(of path: String) -> String { MediaFolder(DatabaseFiles(path)).path }

    /// Copies the pictures of a database, or of a backup, to those of another one.
    ///
    /// A picture's file never changes, so that a file which is there already is left as it is. Copy the database first: a
    /// picture that is uploaded in the meantime is then only in the folder.
    ///
    /// - Parameters:
    ///   - source: The database or backup that has the pictures.
    ///   - destination: The one that gets them.
    /// - Returns: The number of files that the destination has of the source's.
    /// - Throws: `StoreError` where a file can't be copied.
    public static func copyMedia(from source: String, to destination: String) async throws(StoreError) -> Int {
        let (old, new) = (MediaFolder(DatabaseFiles(source)), MediaFolder(DatabaseFiles(destination)))
        return try await BackupWriter.onOwnThread { () throws(StoreError) in try new.copyAll(from: old) }
    }
}

extension MediaFolder {
    /// Copies every file of another folder that isn't there yet.
    fileprivate func copyAll(from other: MediaFolder) throws(StoreError) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: other.path)) ?? []
        let files = names.filter { MediaItem.isID(String($0.prefix(32))) && !$0.hasSuffix(".partial") }
        guard !files.isEmpty else { return 0 }
        try createFolder()
        var count = 0
        for name in files {
            // A picture that was deleted since the folder was listed isn't missing.
            guard let contents = FileManager.default.contents(atPath: "\(other.path)/\(name)") else { continue }
            _ = try PrivateFile.create("\(path)/\(name)", contents: [UInt8](contents))
            count += 1
        }
        return count
    }
}
