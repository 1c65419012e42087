import CardModel
import CardStore
import Testing
import WireJSON

@testable import PostgresCardStore

@Suite("PostgreSQL: rows as a copy writes them", .timeLimit(.minutes(20)))
struct CopiedRowTests {
    private static let table = TransferTable(
        "t",
        columns: [
            TransferTable.Column("a", .text), TransferTable.Column("b", .bytes), TransferTable.Column("c", .integer),
            TransferTable.Column("d", .flag), TransferTable.Column("e", .real),
        ],
        key: ["c"]
    )

    private func text(_ text: String) -> TransferValue { .text(Array(text.utf8)) }

    @Test("Every value comes back as it was, whatever it means to COPY")
    func values() async throws {
        let texts = [
            "", "\\N", "\\.", "\\", "N", "a\tb", "a\nb\r\n", "\u{0}", "\u{1}0", "\\t", "\\x41", "é🙂",
            "\u{8}\u{B}\u{7F}",
        ]
        let reals: [Double] = [
            0, -0.0, 0.1, -1.5, .leastNonzeroMagnitude, 1.7976931348623157e308, 1e22, 123_456_789.123_456_78,
            .infinity, -.infinity, .ulpOfOne, .leastNormalMagnitude, 1 / 3,
        ]
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (a TEXT, b BYTEA, c BIGINT, d BOOLEAN, e DOUBLE PRECISION)")
            var lines = PostgresCopyLines(Self.table, isSummed: false)
            for (number, (text, real)) in zip(texts, reals).enumerated() {
                let bytes = [UInt8](repeating: UInt8(number), count: number) + [0, 10, 92, 255]
                let values: [TransferValue] = [
                    .text(Array(text.utf8)), .bytes(bytes), .integer(Int64(number)), .integer(Int64(number % 3)),
                    .real(real),
                ]
                try lines.append(values)
            }
            let last: [TransferValue] = [.null, .null, .integer(.min), .null, .null]
            try lines.append(last)
            try connection.copy("COPY t (\(lines.columns.joined(separator: ", "))) FROM STDIN", lines.bytes)

            let rows = try connection.rows("SELECT * FROM t ORDER BY c")
            try #require(rows.count == texts.count + 1)
            for column in ["a", "b", "d", "e"] { #expect(try rows[0].isNull(column)) }
            #expect(try rows[0].integer("c") == .min)
            for (number, row) in rows.dropFirst().enumerated() {
                #expect(try row.text("a").hasSameBytes(as: texts[number]))
                let bytes = [UInt8](repeating: UInt8(number), count: number) + [0, 10, 92, 255]
                #expect(try row.bytes("b") == bytes)
                #expect(try row.flag("d") == (number % 3 != 0))
                #expect(try row.double("e").bitPattern == reals[number].bitPattern)
            }
        }
    }

    @Test("What a number isn't comes back as one that isn't")
    func notANumber() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (a TEXT, b BYTEA, c BIGINT, d BOOLEAN, e DOUBLE PRECISION)")
            var lines = PostgresCopyLines(Self.table, isSummed: false)
            let values: [TransferValue] = [.null, .null, .null, .null, .real(.nan)]
            try lines.append(values)
            try connection.copy("COPY t (\(lines.columns.joined(separator: ", "))) FROM STDIN", lines.bytes)
            #expect(try connection.row("SELECT e FROM t")?.double("e").isNaN == true)
        }
    }

    @Test("Rows whose columns are summed over slots are of one slot")
    func summed() throws {
        var lines = PostgresCopyLines(
            TransferTable("counts", columns: [TransferTable.Column("n", .integer)], key: ["n"]),
            isSummed: true
        )
        for number in [5, -6] as [Int64] { try lines.append([.integer(number)]) }
        #expect(lines.columns == ["n", "slot"])
        #expect(String(decoding: lines.bytes, as: UTF8.self) == "5\t0\n-6\t0\n")
    }

    @Test("What users are found by is made of their attributes, and of none where there are none")
    func users() throws {
        let users = TransferTable(
            "users",
            columns: [TransferTable.Column("id", .text), TransferTable.Column("standard", .text)],
            key: ["id"]
        )
        var lines = PostgresCopyLines(users, isSummed: false)
        #expect(lines.columns == ["id", "standard", "email", "folded_email", "phone", "folded"])
        try lines.append([text("u"), text(#"{"email":"A@B.example"}"#)])
        let found = String(decoding: lines.bytes, as: UTF8.self)
        #expect(found.hasPrefix("u\t" + #"{"email":"A@B.example"}"# + "\tA@B.example\ta@b.example\t\\N\t"))
        var none = PostgresCopyLines(users, isSummed: false)
        try none.append([text("u"), .null])
        #expect(String(decoding: none.bytes, as: UTF8.self).hasPrefix("u\t\\N\t\\N\t\\N\t\\N\t"))
        #expect(throws: (any Error).self) { try none.append([text("u"), text("{")]) }
    }
}

@Suite("PostgreSQL: what migrations say that there is")
struct SchemaContentsTests {
    private func contents(_ steps: [String]) -> SchemaContents {
        SchemaContents.expected(
            of: steps.enumerated().map { SchemaMigration(identifier: "\($0)", statements: [$1]) }
        )
    }

    @Test("Tables have the constraints of their creation, less those that later steps drop")
    func constraints() {
        let found = contents([
            """
            CREATE TABLE a (
                id TEXT PRIMARY KEY,
                b TEXT UNIQUE REFERENCES b (id),
                c TEXT REFERENCES c (id)
            );
            CREATE TABLE gone (id TEXT PRIMARY KEY);
            CREATE INDEX gone_by_id ON gone (id);
            CREATE INDEX a_by_c ON a (c)
            """,
            "ALTER TABLE a DROP CONSTRAINT a_b_fkey; DROP TABLE gone; DROP INDEX a_by_c",
            "ALTER TABLE a DROP CONSTRAINT a_pkey_of_another_kind",
        ])
        #expect(found.tables == ["a": SchemaContents.Constraints(primaryKeys: 1, references: 1, uniques: 1)])
        #expect(found.indexes.isEmpty)
    }

    @Test("Indexes are created beside writers, but those of a table in parts")
    func indexes() {
        let found = contents([
            """
            CREATE TABLE a (id TEXT PRIMARY KEY);
            CREATE UNIQUE INDEX a_by_b ON a (b)
                WHERE b IS NOT NULL;
            CREATE TABLE p (id TEXT) PARTITION BY RANGE (id);
            CREATE INDEX p_by_id ON p (id)
            """
        ])
        #expect(found.creation(of: "a_by_b") == "CREATE UNIQUE INDEX CONCURRENTLY a_by_b ON a (b) WHERE b IS NOT NULL")
        #expect(found.creation(of: "p_by_id") == "CREATE INDEX p_by_id ON p (id)")
        #expect(found.creation(of: "nothing") == nil)
        #expect(found.uniqueIndexes == ["a_by_b"])
    }

    @Test("Every index of the migrations is of a table of theirs, and the steps are in their order")
    func migrations() {
        let found = SchemaContents.expected(of: Schema.migrations)
        #expect(found.tables.count > 20)
        let strays = found.indexes.filter { found.tables[$0.value.table] == nil }
        // The log of before partitions has got that name, and nothing drops it.
        #expect(strays.keys.sorted() == ["events_old_by_position"])
        let identifiers = Schema.migrations.map(\.identifier)
        #expect(identifiers == identifiers.sorted() && Set(identifiers).count == identifiers.count)
    }
}

@Suite("PostgreSQL: what a group reads before its first job")
struct GroupLoadsTests {
    private func job(_ user: String, queries: Int) -> GroupWriter.WriteJob {
        GroupWriter.WriteJob(
            users: [UserID(rawValue: user)],
            queries: Array(repeating: PostgresQuery("SELECT 1"), count: queries),
            attempt: { _ in {} },
            fail: { _ in }
        )
    }

    @Test("Each job gets its own rows, unless one before it was about its user")
    func own() {
        var loads = GroupLoads(Array(repeating: [], count: 6))
        let jobs = [("a", 2), ("b", 0), ("c", 1), ("a", 1), ("d", 1), ("e", 1)].map { job($0, queries: $1) }
        var counts: [Int?] = []
        for job in jobs {
            counts.append(loads.next(for: job)?.count)
            loads.note(job, isElsewhere: false)
        }
        #expect(counts == [2, nil, 1, nil, 1, 1])
        #expect(!loads.isStale)
        let beyond = loads.next(for: job("f", queries: 1))
        #expect(beyond == nil)
    }

    @Test("No rows are believed once a job has written to a user that it didn't name")
    func stale() {
        var loads = GroupLoads(Array(repeating: [], count: 3))
        let first = loads.next(for: job("a", queries: 1))
        #expect(first != nil)
        loads.note(job("a", queries: 1), isElsewhere: true)
        #expect(loads.isStale)
        let second = loads.next(for: job("b", queries: 1))
        #expect(second == nil)
        loads.note(job("b", queries: 1), isElsewhere: false)
        #expect(loads.isStale)
    }

    @Test("An epoch is that of the database and of the history that its server shows")
    func epochs() {
        let epoch = StoreEpoch()
        epoch.follow(own: -1)
        let histories = [("1", "a/1"), ("2", "a/1"), ("1", "a/2"), ("1a", "/1")].map {
            ServerHistory(timeline: $0, database: $1)
        }
        #expect(Set(histories.map(\.number)).count == 4)
        var values: Set<UInt64> = []
        for history in histories {
            epoch.follow(history)
            #expect(epoch.value == epoch.value(in: history))
            values.insert(epoch.value)
        }
        #expect(values.count == 4)
        epoch.follow(histories[0])
        let before = epoch.value
        epoch.follow(own: 7)
        #expect(epoch.value != before)
    }
}
