import CardModel
import CardStore
import UserImport

/// The view of the page of imports.
struct ImportListView {
    let limit: String
    let jobs: [ImportLine]
    let isEmpty: Bool
}

/// An import in the list, and above its page.
struct ImportLine {
    let name: String
    let address: String
    let status: String
    /// The look of the status, as styles call it.
    let look: String
    let size: String
    let created: TimeView
    let author: String
    let imported: String
    let rejected: String
    let hasRejects: Bool
    let isOpen: Bool
    let isReady: Bool
    let isIncomplete: Bool
    let received: String

    init(_ job: ImportJob, _ names: NameBook, _ context: PageContext) {
        name = job.fileName
        address = "/dashboard/users/imports/\(FormData.escape(part: job.id))"
        (status, look) = Self.status(of: job)
        size = MediaView.size(job.size)
        created = TimeView(job.createdAt, for: context)
        author = names.actor(job.createdBy)
        imported = PageFormatter.count(Int64(job.imported))
        rejected = PageFormatter.count(Int64(job.rejected))
        hasRejects = job.rejected > 0
        isOpen = job.status.isOpen
        isReady = job.isReady
        isIncomplete = job.status == .uploading && !job.isReady
        received = MediaView.size(job.received)
    }

    /// Returns the label of a status, and its look.
    private static func status(of job: ImportJob) -> (String, String) {
        switch job.status {
        case .uploading: job.isReady ? (localized("Ready to import"), "warn") : (localized("Upload incomplete"), "warn")
        case .running: (localized("Importing"), "")
        case .finished where job.rejected > 0: (localized("Finished with errors", in: "import"), "warn")
        case .finished: (localized("Finished", in: "import"), "good")
        case .failed: (localized("Failed", in: "import"), "bad")
        case .canceled: (localized("Canceled", in: "import"), "")
        case .expired: (localized("Expired", in: "import"), "")
        }
    }
}

/// The view of the page of one import.
struct ImportView {
    let line: ImportLine
    let result: ImportResultView
    var preview: ImportPreviewView?
    var problem: String?
}

/// The beginning of a file, and what its columns become.
struct ImportPreviewView {
    struct Column {
        let id: String
        let name: String
        let sample: String
        let isUserID: Bool
        let isSkipped: Bool
        let attributes: [FieldOption]
        let types: [FieldOption]
        /// The problem of the choice, or `nil`.
        var mark: FieldMark?
    }

    /// A value, with the name of its column.
    struct ImportPreviewCell {
        let name: String
        let text: String
    }

    struct ImportPreviewRow {
        let line: Int
        let cells: [ImportPreviewCell]
        let rejection: String?
    }

    private(set) var columns: [Column]
    let hasColumns: Bool
    let names: [String]
    let rows: [ImportPreviewRow]

    /// The longest part of a value that is shown, in scalars.
    private static let longestValue = 60

    init(_ preview: ImportPreview) {
        let names = preview.names.map(Self.cut)
        self.names = names
        rows = preview.rows.map { row in
            ImportPreviewRow(
                line: row.line,
                cells: zip(names, row.cells).map { ImportPreviewCell(name: $0, text: Self.cut($1)) },
                rejection: row.problem.map(ImportFormatter.reason)
            )
        }
        columns = zip(preview.names, preview.targets).enumerated().map { place, column in
            let values = preview.rows.compactMap { $0.cells.indices.contains(place) ? $0.cells[place] : nil }
            return Column(place, column.0, column.1, values.filter { !$0.isEmpty }.prefix(3).map(Self.cut))
        }
        hasColumns = !columns.isEmpty
    }

    /// Marks the column that a problem names, or the first one where it names none.
    mutating func mark(_ problem: String) {
        let named = CSVHeading.column(ofProblem: problem)
        let index = named.flatMap { names.firstIndex(of: Self.cut($0.column)) } ?? 0
        guard columns.indices.contains(index) else { return }
        let text = ImportFormatter.reason(named?.problem ?? problem)
        columns[index].mark = FieldMark(FormField.column.rawValue, text)
    }

    private static func cut(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(longestValue)
        return start.count < text.unicodeScalars.count ? String(start) + "…" : text
    }
}

extension ImportPreviewView.Column {
    init(_ place: Int, _ name: String, _ target: ColumnTarget, _ samples: [String]) {
        id = "column-\(place)"
        self.name = name
        sample = samples.joined(separator: ", ")
        isUserID = target == .userID
        isSkipped = target == .skipped
        attributes = AudienceView.choices(
            StandardAttribute.allCases.map { (ColumnTarget.standard($0).text, UserFormatter.name(of: $0)) },
            target.text
        )
        types = AudienceView.choices(
            ColumnTarget.ValueType.allCases.map { (ColumnTarget.custom($0).text, Self.name(of: $0)) },
            target.text
        )
    }

    private static func name(of type: ColumnTarget.ValueType) -> String {
        switch type {
        case .automatic: localized("Custom attribute (detect type)")
        case .text: localized("Custom attribute (text)")
        case .number: localized("Custom attribute (number)")
        case .boolean: localized("Custom attribute (true or false)")
        case .date: localized("Custom attribute (ISO 8601 date)")
        }
    }
}

/// A formatter of what is wrong with a line, as people read it.
enum ImportFormatter {
    /// Returns why a line is rejected, in the language of the page.
    ///
    /// The name of an attribute in front of a sentence stays as it is.
    static func reason(_ text: String) -> String {
        if let (column, problem) = CSVHeading.column(ofProblem: text) {
            return localized("Column “\(column)”: \(reason(problem))")
        }
        let isOfAttribute = text.hasPrefix("attributes.") || text.hasPrefix("custom_attributes.")
        if isOfAttribute, let colon = text.utf8.firstRange(of: ": ".utf8) {
            // safe: found in the text
            return String(text[..<colon.upperBound]) + localized(sentence: String(text[colon.upperBound...]))
        }
        let sentence = localized(sentence: text)
        guard sentence.hasSameBytes(as: text), text.hasSuffix(".") else { return sentence }
        // A limit is said without the full stop.
        return localized(sentence: String(text.dropLast())) + (TextCatalog.current.isEnglish ? "." : "")
    }
}

/// The progress or the result of an import.
struct ImportResultView {
    struct Reject {
        let line: String
        let reason: String
    }

    let isShown: Bool
    let isRunning: Bool
    let isWaiting: Bool
    let isFinished: Bool
    let isCanceled: Bool
    let isExpired: Bool
    let percent: Int
    let percentText: String
    let imported: String
    let rejected: String
    let failure: String?
    let rejects: [Reject]
    let hasRejects: Bool
    /// The number of rejected lines that aren't shown, or `nil` where all are.
    let others: String?
    let isCut: Bool
    let address: String
    let errorsAddress: String

    init(_ job: ImportJob, _ rejects: [ImportReject], isWaiting: Bool) {
        isShown = job.status != .uploading
        isRunning = job.status == .running
        self.isWaiting = isWaiting
        isFinished = job.status == .finished
        isCanceled = job.status == .canceled
        isExpired = job.status == .expired
        // safe: 0 to 100
        percent = Int(Double(job.offset) / Double(max(1, job.size)) * 100)
        percentText = "\(percent)%"
        imported = PageFormatter.counted(Int64(job.imported), .user)
        rejected = PageFormatter.count(Int64(job.rejected))
        failure = job.failure.map { localized(sentence: $0) }
        self.rejects = rejects.map {
            Reject(line: PageFormatter.count(Int64($0.line)), reason: ImportFormatter.reason($0.reason))
        }
        hasRejects = !rejects.isEmpty
        let rest = job.rejected - rejects.count
        others = rest > 0 ? PageFormatter.count(Int64(rest)) : nil
        isCut = job.rejected > ImportJob.keptRejects
        address = "/dashboard/users/imports/\(FormData.escape(part: job.id))?part=progress"
        errorsAddress = "/dashboard/users/imports/\(FormData.escape(part: job.id))/errors"
    }
}
