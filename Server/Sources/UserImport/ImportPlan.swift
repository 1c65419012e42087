import CardModel
import WireJSON

/// The plan for a file: how it is written, and what its columns become.
package struct ImportPlan: Hashable, Sendable {
    /// The number of columns that a plan may have.
    package static let columnLimit = 1_000

    /// The format of the file.
    package var format: ImportFormat
    /// The targets of each column of a CSV file, or `nil` for what their names say.
    package var targets: [ColumnTarget]?

    /// Creates a plan.
    package init(format: ImportFormat, targets: [ColumnTarget]? = nil) {
        self.format = format
        self.targets = targets
    }

    /// Reads a plan, or returns `nil` where the text is none.
    package init?(text: String) {
        guard let json = try? JSONValue(parsing: text), let name = json["format"]?.string,
            let format = ImportFormat(rawValue: name)
        else { return nil }
        self.init(format: format)
        guard let columns = json["columns"], !columns.isNull else { return }
        guard let names = columns.array, names.count <= Self.columnLimit else { return nil }
        let known = names.compactMap { $0.string.flatMap { ColumnTarget(text: $0) } }
        guard known.count == names.count else { return nil }
        targets = known
    }

    /// The plan as it is kept.
    package var text: String {
        let columns: JSONValue = targets.map { .array($0.map { .string($0.text) }) } ?? .null
        let json: JSONValue = ["format": .string(format.rawValue), "columns": columns]
        return json.text
    }
}

/// The beginning of a file, as an import reads it.
package struct ImportPreview: Sendable {
    /// A record with what an import would say of it.
    package struct Row: Sendable {
        /// The number of its first line.
        package let line: Int
        /// Its fields; of a line of JSON, the id and the attributes.
        package let cells: [String]
        /// The problem of the plan, or `nil`.
        package let problem: String?
    }

    /// The names of the columns.
    package let names: [String]
    /// The targets of the columns of a CSV file, as the plan says or as they are guessed.
    package let targets: [ColumnTarget]
    /// The first records.
    package let rows: [Row]

    /// Reads the beginning of a file.
    ///
    /// - Parameters:
    ///   - bytes: The beginning, of as many bytes as the longest record has.
    ///   - isWhole: Whether that is the whole file.
    ///   - plan: The plan; where it has no columns, they are guessed.
    ///   - limit: How many records to read.
    ///   - scanner: What reads them; a new one by default.
    /// - Throws: `ImportError` where the heading of a CSV file can't be read.
    package init(
        _ bytes: [UInt8],
        isWhole: Bool,
        _ plan: ImportPlan,
        limit: Int,
        scanner: RecordScanner? = nil
    ) throws(ImportError) {
        var scanner = scanner ?? RecordScanner(plan.format)
        var records = scanner.take(bytes)
        if isWhole { records += scanner.finish() }
        try ImportError.check(scanner)
        guard plan.format == .csv else {
            names = ["user_id", "attributes", "custom_attributes"]
            targets = []
            rows = records.prefix(limit).map(Row.init(jsonLine:))
            return
        }
        guard let first = records.first else {
            throw ImportError(isWhole ? "The file is empty." : "The heading is too long.")
        }
        let heading = try CSVRow(checking: first)
        names = try CSVHeading.names(heading)
        guard names.count <= ImportPlan.columnLimit else {
            throw ImportError("The file has more than \(ImportPlan.columnLimit) columns. Import it by the command.")
        }
        let sample = records.dropFirst().prefix(limit)
        targets =
            plan.targets
            ?? ColumnTarget.guesses(
                for: names,
                samples: records.dropFirst().prefix(100).compactMap { try? CSVRow($0.bytes) }
            )
        let reading = try? CSVHeading(heading, columns: targets)
        rows = sample.map { Row(csv: $0, reading) }
    }
}

extension ImportPreview.Row {
    init(csv record: RecordScanner.Record, _ heading: CSVHeading?) {
        var problem: String?
        var cells: [String] = []
        do throws(ImportError) {
            let row = try CSVRow(checking: record)
            cells = row.fields.map(\.text)
            _ = try heading?.update(row)
        } catch {
            problem = error.description
        }
        self.init(line: record.line, cells: cells, problem: problem)
    }

    init(jsonLine record: RecordScanner.Record) {
        do throws(ImportError) {
            let update = try UserUpdate(jsonLine: record.bytes)
            let standard = update.standard.map { "\($0.key.rawValue): \($0.value.text)" }
            let custom = update.custom.map { "\($0.key): \($0.value.text)" }
            let cells = [update.id.rawValue, standard.joined(separator: ", "), custom.joined(separator: ", ")]
            self.init(line: record.line, cells: cells, problem: nil)
        } catch {
            self.init(line: record.line, cells: [], problem: error.description)
        }
    }
}
