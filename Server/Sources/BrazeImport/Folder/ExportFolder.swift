import Foundation
import UserImport
import WireJSON
import WorkspaceFiles

/// Reads the files of an export: those with users as they come, the others as a whole.
struct ExportFolder {
    /// The maximum number of files.
    private static let maximumFiles = 20_000
    /// The maximum depth of folders in others.
    private static let maximumDepth = 8
    /// The maximum number of bytes of a file that is one document.
    private static let maximumDocumentBytes = 16 << 20
    /// The maximum number of bytes of all documents but users together.
    private static let maximumBytes = 256 << 20
    /// The maximum number of bytes of a line.
    private static let maximumLineBytes = 4 << 20
    /// The size of the piece of a file that is read at once, in bytes.
    private static let pieceSize = 1 << 18

    /// The documents that aren't users.
    private(set) var workspace = WorkspaceReading()
    private var users: UserFile
    private var bytes = 0

    /// Creates a reader that writes users into a file.
    init(users: UserFile) { self.users = users }

    /// Reads a folder, and those that lie in it.
    ///
    /// - Throws: `FolderHandle.Failure` where users can't be written.
    mutating func read(_ root: FolderHandle, _ report: inout ImportReport) throws(FolderHandle.Failure) {
        read(root, at: "", depth: 0, &report)
        users.flush()
        if let failure = users.failure { throw failure }
    }

    private mutating func read(
        _ folder: FolderHandle,
        at path: String,
        depth: Int,
        _ report: inout ImportReport
    ) {
        let names: [String]
        do throws(FolderHandle.Failure) {
            names = try folder.names(limit: Self.maximumFiles)
        } catch {
            return report.omit(path.isEmpty ? "." : path, error.message)
        }
        for name in names where !name.starts(withBytesOf: ".") {
            let place = path.isEmpty ? name : "\(path)/\(name)"
            if folder.isFolder(name) {
                guard depth < Self.maximumDepth, let inner = try? folder.folder(name) else {
                    report.omit(place, "This folder can't be read, or lies too deep.")
                    continue
                }
                read(inner, at: place, depth: depth + 1, &report)
            } else if report.files >= Self.maximumFiles {
                report.omit(place, "At most \(Self.maximumFiles) files are read.")
            } else {
                readFile(name, in: folder, at: place, &report)
            }
        }
    }

    private mutating func readFile(
        _ name: String,
        in folder: FolderHandle,
        at path: String,
        _ report: inout ImportReport
    ) {
        let ending = name.split(at: ".").last?.lowercased() ?? ""
        if ["zip", "gz"].contains(ending) { return report.omit(path, "Unpack it: archives aren't read.") }
        guard let format = ImportFormat(fileName: name) else {
            return report.omit(path, "Only files that end in .json, .jsonl, .ndjson and .csv are read.")
        }
        let handle: FileHandle
        do {
            guard let file = try folder.file(name) else { return }
            handle = file
        } catch {
            return report.omit(path, error.message)
        }
        report.files += 1
        if format == .csv {
            readRows(handle, at: path, &report)
        } else if Self.hasLines(handle) {
            readLines(handle, at: path, &report)
        } else {
            readDocument(handle, at: path, name, &report)
        }
    }

    // MARK: JSON

    /// Returns whether the first of several lines is JSON by itself, as in the export of a segment's users.
    private static func hasLines(_ handle: FileHandle) -> Bool {
        guard let beginning = try? handle.read(upToCount: maximumLineBytes) else { return false }
        defer { try? handle.seek(toOffset: 0) }
        let text = unmarked(beginning).drop { $0 <= UInt8(ascii: " ") }
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        guard text[end...].contains(where: { $0 > UInt8(ascii: " ") }) else { return false }
        return (try? JSONValue(parsing: [UInt8](text[..<end])))?.object != nil
    }

    /// Returns the bytes without the mark with which some programs begin a text of UTF-8, such as those of Windows.
    private static func unmarked(_ data: Data) -> ArraySlice<UInt8> {
        let bytes = [UInt8](data)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    private mutating func readDocument(
        _ handle: FileHandle,
        at path: String,
        _ name: String,
        _ report: inout ImportReport
    ) {
        guard let data = try? handle.read(upToCount: Self.maximumDocumentBytes + 1) else {
            return report.omit(path, "The file can't be read, or is empty.")
        }
        guard data.count <= Self.maximumDocumentBytes else {
            return report.omit(path, "A document has at most \(Self.maximumDocumentBytes) bytes.")
        }
        do throws(JSONError) {
            let json = try JSONValue(parsing: [UInt8](Self.unmarked(data)))
            take(json, data.count, source: path, fileName: name, &report)
        } catch {
            report.omit(path, "This is no JSON: \(error).")
        }
    }

    private mutating func readLines(
        _ handle: FileHandle,
        at path: String,
        _ report: inout ImportReport
    ) {
        readRecords(.jsonLines, of: handle, at: path, &report) {
            (reader, record, report) in
            let place = "\(path):\(record.line)"
            guard !record.isTooLong, let json = try? JSONValue(parsing: record.bytes) else {
                return report.users.refuse("The line is too long, or no JSON.", at: place)
            }
            reader.take(json, record.bytes.count, source: place, fileName: "", &report)
        }
    }

    private mutating func take(
        _ json: JSONValue,
        _ count: Int,
        source: String,
        fileName: String,
        _ report: inout ImportReport
    ) {
        let found: [JSONObject]
        if case .user(let profile) = ExportDocument(json) {
            found = [profile]
        } else {
            // safe: a file's size, a few times the maximum at most
            bytes += count
            guard bytes <= Self.maximumBytes else {
                return report.omit(source, "All documents together have more than \(Self.maximumBytes) bytes.")
            }
            found = workspace.take(json, source: source, fileName: fileName, &report)
        }
        for profile in found { takeUser(profile, at: source, &report) }
    }

    // MARK: Users

    private mutating func readRows(
        _ handle: FileHandle,
        at path: String,
        _ report: inout ImportReport
    ) {
        var columns: ExportedColumns?
        var isRefused = false
        readRecords(.csv, of: handle, at: path, &report) { (reader, record, report) in
            guard !isRefused else { return }
            let place = "\(path):\(record.line)"
            do throws(ImportError) {
                if record.isTooLong { throw ImportError("The line is too long.") }
                let row = try CSVRow(checking: record)
                guard let columns else {
                    columns = try ExportedColumns(row)
                    return
                }
                let profile = try columns.profile(row)
                reader.takeUser(profile, at: place, &report)
            } catch {
                if columns == nil {
                    isRefused = true
                    report.omit(path, error.description)
                } else {
                    report.users.refuse(error.description, at: place)
                }
            }
        }
    }

    private mutating func takeUser(
        _ profile: JSONObject,
        at place: String,
        _ report: inout ImportReport
    ) {
        do throws(ImportError) {
            users.write(try ExportedUser(profile, at: place, &report.users).line)
            report.users.take()
        } catch {
            report.users.refuse(error.description, at: place)
        }
    }

    private mutating func readRecords(
        _ format: ImportFormat,
        of handle: FileHandle,
        at path: String,
        _ report: inout ImportReport,
        _ body: (inout Self, RecordScanner.Record, inout ImportReport) -> Void
    ) {
        var scanner = RecordScanner(format, limit: Self.maximumLineBytes)
        do {
            while users.failure == nil, let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
                for record in scanner.take(piece) { body(&self, record, &report) }
            }
        } catch {
            report.omit(path, "The file could not be read to its end.")
        }
        for record in scanner.finish() { body(&self, record, &report) }
    }
}
