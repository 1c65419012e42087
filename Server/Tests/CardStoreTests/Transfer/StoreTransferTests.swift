import CardStore
import Simulation
import Testing

@Suite("Copies of a store: values in memory")
struct StoreTransferTests {
    private struct Stopped: Error {}

    private func row(_ id: Int64, _ text: String) -> [TransferValue] { [.integer(id), .string(text)] }

    private func rows(_ ids: some Sequence<Int64>) -> [[TransferValue]] { ids.map { row($0, "row \($0)") } }

    private func code(_ body: () throws -> some Any) -> StoreError.Code? {
        let error = #expect(throws: StoreError.self) { _ = try body() }
        return error?.code
    }

    @Test("A copy that is killed at any write, before or after it is done, ends with each row once", arguments: 1...25)
    func killed(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed), "transfer")
        var rows: [String: [[TransferValue]]] = [:]
        for table in MemoryDatabase.tables {
            var id: Int64 = -50
            for _ in 0..<Int.random(in: 0...200, using: &random) {
                id += Int64.random(in: 1...9, using: &random)
                rows[table.name, default: []].append(row(id, String(repeating: "x", count: Int(id & 0x3F))))
            }
        }
        let (source, target) = (MemoryDatabase(rows), MemoryDatabase())
        var attempts = 0
        var summary: StoreTransfer.Summary?
        while summary == nil, attempts < 2_000 {
            attempts += 1
            target.fail(after: Int.random(in: 0...3, using: &random), isWritten: Bool.random(using: &random))
            let transfer = StoreTransfer(from: source, to: target, batchRows: Int.random(in: 1...90, using: &random))
            let reports = Int.random(in: 1...12, using: &random)
            summary = try attempt(transfer, reports: attempts < 1_000 ? reports : .max)
        }
        #expect(target.rows == rows)
        for table in MemoryDatabase.tables {
            #expect(summary?.counts[table.name] == Int64(rows[table.name]?.count ?? 0))
        }
        #expect(summary?.isResumed == (attempts > 1) && summary?.needsSecretsKey == false)
        #expect(target.finishedUsers == [Int64(rows["users"]?.count ?? 0)])
    }

    /// Runs a copy that is stopped after a number of reports; `nil` where it came to no end.
    private func attempt(_ transfer: StoreTransfer, reports: Int) throws -> StoreTransfer.Summary? {
        var (rest, last) = (reports, Int64(-1))
        // An expectation takes longer than a report, of which there are very many.
        var wrong: StoreTransfer.Progress?
        defer { #expect(wrong == nil) }
        do {
            return try transfer.run { progress in
                let isRight = progress.done >= last && progress.done <= progress.total
                if !isRight || progress.before > progress.done { wrong = progress }
                (rest, last) = (rest - 1, progress.done)
                if rest == 0 { throw Stopped() }
            }
        } catch is Stopped {
            return nil
        } catch let error as StoreError {
            #expect(error == MemoryDatabase.killed)
            return nil
        }
    }

    @Test("What is reported ends with all rows, read and compared", arguments: [1, 7, 64, 5_000])
    func progress(batchRows: Int) throws {
        let source = MemoryDatabase(["alpha": rows(1...100), "users": rows(1...64)])
        var seen: [StoreTransfer.Progress] = []
        let transfer = StoreTransfer(from: source, to: MemoryDatabase(), batchRows: batchRows)
        _ = try transfer.run { seen.append($0) }
        let last = try #require(seen.last)
        #expect(last.done == 328 && last.total == 328 && last.before == 0)
        #expect(seen.map(\.done) == seen.map(\.done).sorted() && Set(seen.map(\.total)) == [328])
    }

    @Test("Whatever was changed of what is copied already, the copy isn't continued")
    func changedSource() {
        let changes: [(inout [[TransferValue]]) -> Void] = [
            { $0[1] = [.integer(2), .string("other")] }, { $0.remove(at: 0) }, { $0.append([.integer(999), .null]) },
            { $0.insert([.integer(0), .null], at: 0) }, { $0[0][1] = .bytes(Array("row 1".utf8)) },
            { $0[0] = [.integer(0), .string("row 1")] },
        ]
        for change in changes {
            let source = MemoryDatabase(["alpha": rows(1...10), "beta": rows(1...10)])
            let target = MemoryDatabase()
            // The first table is written at once, and the second one never.
            target.fail(after: 1, isWritten: false)
            #expect(code { try StoreTransfer(from: source, to: target).run() } == .unavailable)
            source.change("alpha", change)
            #expect(code { try StoreTransfer(from: source, to: target).run() } == .conflict)
            #expect(target.finishedUsers.isEmpty)
        }
    }

    @Test("What comes behind the rows that are copied of a table is copied with the others")
    func behind() throws {
        let source = MemoryDatabase(["alpha": rows(1...10)])
        let target = MemoryDatabase()
        target.fail(after: 1, isWritten: true)
        #expect(code { try StoreTransfer(from: source, to: target, batchRows: 3).run() } == .unavailable)
        #expect(target.rows["alpha"]?.count == 6)
        source.change("alpha") { $0.append([.integer(11), .string("row 11")]) }
        let summary = try StoreTransfer(from: source, to: target, batchRows: 4).run()
        #expect(summary.isResumed && summary.rows == 11 && target.rows == ["alpha": rows(1...11)])
    }

    @Test("A copy of another source is not continued, and one that differs is refused")
    func otherSource() {
        let source = MemoryDatabase(["alpha": rows(1...10)])
        let target = MemoryDatabase()
        target.fail(after: 0, isWritten: false)
        #expect(code { try StoreTransfer(from: source, to: target).run() } == .unavailable)
        source.setFingerprint([2])
        #expect(code { try StoreTransfer(from: source, to: target).run() } == .conflict)
        source.setFingerprint([1])
        target.spoil(.integer(7))
        #expect(code { try StoreTransfer(from: source, to: target).run() } == .corrupt)
        #expect(target.finishedUsers.isEmpty)
    }
}

@Suite("Copies of a store: bytes of rows")
struct TransferCodingTests {
    private func random(_ random: inout SeededRandom) -> TransferValue {
        let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: random.next()))
        case 2: return .real(Double(bitPattern: random.next()))
        case 3: return .text(bytes)
        default: return .bytes(bytes)
        }
    }

    @Test("Values are written as they always were")
    func vectors() {
        #expect(TransferCoding.encode([]) == [] && TransferCoding.encode([.null]) == [0])
        #expect(TransferCoding.encode([.integer(-2)]) == [1, 255, 255, 255, 255, 255, 255, 255, 254])
        #expect(TransferCoding.encode([.real(1)]) == [2, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(TransferCoding.encode([.string("é")]) == [3, 0, 0, 0, 0, 0, 0, 0, 2, 0xC3, 0xA9])
        #expect(TransferCoding.encode([.bytes([7]), .null]) == [4, 0, 0, 0, 0, 0, 0, 0, 1, 7, 0])
    }

    @Test("Random values are read back, and what is cut off is read as other values or none", arguments: 1...5)
    func roundTrips(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), "coding")
        for _ in 0..<200 {
            let values = (0..<Int.random(in: 0...6, using: &random)).map { _ in self.random(&random) }
            let bytes = TransferCoding.encode(values)
            #expect(TransferCoding.decode(bytes).map(TransferCoding.encode) == bytes)
            #expect(TransferCoding.decode(bytes)?.count == values.count)
            for count in 0..<bytes.count {
                let prefix = Array(bytes.prefix(count))
                if let read = TransferCoding.decode(prefix) {
                    #expect(read.count < values.count && TransferCoding.encode(read) == prefix)
                }
            }
        }
    }

    @Test("Bytes that no store has written are none, whatever length they announce")
    func hostile() {
        let long: [UInt8] = [255, 255, 255, 255, 255, 255, 255, 255]
        let cases: [[UInt8]] = [
            [5], [255], [1, 0], [3] + long, [4] + long, [3, 0, 0, 0, 0, 0, 0, 0, 2, 65], [0, 0, 6],
        ]
        for bytes in cases {
            #expect(TransferCoding.decode(bytes) == nil, "\(bytes)")
        }
    }

    @Test("Digests tell rows apart however their texts are divided, and not their order")
    func digests() {
        func digest(_ rows: [[TransferValue]]) -> TransferDigest {
            var digest = TransferDigest()
            for row in rows { digest.add(row) }
            return digest
        }
        let one: [TransferValue] = [.string("a"), .string("b")]
        let two: [TransferValue] = [.string("ab"), .string("")]
        let others = [
            digest([]), digest([one]), digest([two]), digest([one, one]), digest([one, two]), digest([[]]),
            digest([[.bytes([97]), .string("b")]]), digest([[.string("e\u{301}")]]), digest([[.string("\u{E9}")]]),
            digest([[.real(0)]]), digest([[.real(-0.0)]]), digest([[.integer(0)]]), digest([[.null]]),
        ]
        #expect(Set(others).count == others.count)
        #expect(digest([one, two, one]) == digest([two, one, one]))
        for digest in others { #expect(TransferDigest(bytes: digest.bytes) == digest) }
        #expect(TransferDigest(bytes: Array(repeating: 0, count: 15)) == nil)
    }

    @Test("Tables come behind those that they refer to, and those in a circle last")
    func order() {
        let tables = ["a", "b", "c", "d", "e"].map { TransferTable($0, columns: [], key: []) }
        func names(_ references: [String: Set<String>]) -> [String] {
            TransferTable.sorted(tables.reversed(), references).map(\.name)
        }
        #expect(names([:]) == ["a", "b", "c", "d", "e"])
        #expect(names(["a": ["e"], "b": ["a", "b"], "c": ["nothing"]]) == ["c", "d", "e", "a", "b"])
        #expect(names(["a": ["b"], "b": ["a"], "c": ["a"]]) == ["d", "e", "a", "b", "c"])
    }

    @Test("Each part of what isn't a row makes another fingerprint")
    func fingerprints() {
        let head = MemoryDatabase.head
        var heads = Array(repeating: head, count: 8)
        heads[1].generation = 2
        heads[2].settings = [0]
        heads[3].checkedAt = 1
        heads[4].userHashKey = []
        heads[5].secretsKey = []
        heads[6].logPosition = 1
        heads[7].noticePosition = 1
        var prints = heads.map { $0.fingerprint(with: []) }
        let values: [[TransferValue]] = [[.null], [.integer(0)], [.null, .null]]
        prints += values.map { head.fingerprint(with: $0) }
        #expect(Set(prints).count == prints.count)
    }
}
