import CardStore
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: a connection at its limits", .timeLimit(.minutes(20)))
struct ConnectionEdgeTests {
    @Test("More statements than are kept prepared run all the same, and the first ones stay prepared")
    func manyStatements() async throws {
        try await withConnection { connection in
            var sums: [Int64] = []
            for number in 0..<520 {
                sums.append(try connection.row("SELECT \(number)::BIGINT + $1 AS sum", [1])?.integer("sum") ?? -1)
            }
            #expect(sums == (1...520).map { Int64($0) })
            let row = try connection.row("SELECT count(*) AS count FROM pg_prepared_statements")
            #expect(try row?.integer("count") == 512)
            let first = try #require(connection.name(of: "SELECT 0::BIGINT + $1 AS sum"))
            #expect(!first.isNew)
            #expect(connection.name(of: "SELECT 519::BIGINT + $1 AS sum") == nil)
            // So it is where statements are sent together.
            let queries = [0, 519, 600].map { PostgresQuery("SELECT \($0)::BIGINT + $1 AS sum", [2]) }
            let together = try connection.rows(of: queries)
            #expect(try together.compactMap { try $0.first?.integer("sum") } == [2, 521, 602])
        }
    }

    @Test("A statement that could not be prepared is prepared once it can be")
    func preparedLater() async throws {
        try await withConnection { connection in
            let sql = "SELECT n FROM late"
            for _ in 0..<3 {
                let failure = #expect(throws: PostgresError.self) { try connection.rows(sql) }
                #expect(failure?.state == "42P01")
            }
            try connection.simple("CREATE TABLE late (n BIGINT); INSERT INTO late VALUES (7)")
            #expect(try connection.row(sql)?.integer("n") == 7)
        }
    }

    @Test("What was put off is forgotten with its transaction, and else runs before whatever is waited for next")
    func deferred() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT)")
            try connection.simple("BEGIN")
            connection.later("INSERT INTO t VALUES ($1)", [1])
            try connection.rollBack()
            #expect(try connection.rows("SELECT n FROM t").isEmpty)
            connection.later("INSERT INTO t VALUES ($1)", [2])
            try connection.copy("COPY t FROM STDIN", Array("3\n4\n".utf8))
            connection.later("INSERT INTO t VALUES ($1)", [5])
            try connection.simple("SELECT 1")
            connection.later("INSERT INTO t VALUES ($1)", [6])
            #expect(try connection.execute("UPDATE t SET n = n * 10 WHERE n > 4") == 2)
            let numbers = try connection.rows("SELECT n FROM t ORDER BY n").map { try $0.integer("n") }
            #expect(numbers == [2, 3, 4, 50, 60])
        }
    }

    @Test("Rows that a table refuses are an error of the copy, and the connection goes on")
    func refusedCopy() async throws {
        try await withConnection { connection in
            try connection.simple("CREATE TABLE t (n BIGINT PRIMARY KEY)")
            for (rows, state) in [("1\nx\n", "22P02"), ("1\n1\n", "23505"), ("1\t2\n", "22P04")] {
                let failure = #expect(throws: PostgresError.self) {
                    try connection.copy("COPY t FROM STDIN", Array(rows.utf8))
                }
                #expect(failure?.state == state)
                #expect(failure?.endsConnection == false)
                #expect(connection.isOpen && !connection.isInTransaction)
            }
            #expect(throws: PostgresError.self) { try connection.copy("COPY nothing FROM STDIN", []) }
            #expect(try connection.rows("SELECT n FROM t").isEmpty)
            // Several pieces of a megabyte, none of which ends with a row.
            let many = (100_000..<400_000).map { "\($0)\n" }.joined()
            let sum = (Int64(100_000)..<400_000).reduce(0, +)
            try connection.copy("COPY t FROM STDIN", Array(many.utf8))
            let row = try connection.row("SELECT count(*) AS count, sum(n)::BIGINT AS sum FROM t")
            #expect(try row?.integer("count") == 300_000)
            #expect(try row?.integer("sum") == sum)
            try connection.copy("COPY t FROM STDIN", [])
        }
    }

    @Test("Whole numbers of each width and texts of each kind are read, and nothing that would lose something")
    func types() async throws {
        try await withConnection { connection in
            let row = try #require(
                try connection.row(
                    """
                    SELECT (-2)::SMALLINT AS small, (-3)::INTEGER AS middle, 'n'::NAME AS name, '{}'::JSON AS json,
                        'c'::CHAR(3) AS fixed, 'v'::VARCHAR(9) AS varying, now() AS moment, 1.5::NUMERIC AS exact,
                        1.5::REAL AS single, '{1}'::BIGINT[] AS list
                    """
                )
            )
            #expect(try row.integer("small") == -2)
            #expect(try row.integer("middle") == -3)
            #expect(try ["name", "json", "fixed", "varying"].map { try row.text($0) } == ["n", "{}", "c  ", "v"])
            for column in ["moment", "exact", "single", "list"] {
                #expect(throws: StoreError.self) { try row.integer(column) }
                #expect(throws: StoreError.self) { try row.double(column) }
                #expect(throws: StoreError.self) { try row.text(column) }
                #expect(throws: StoreError.self) { try row.bytes(column) }
            }
        }
    }

    @Test("A value without one is NULL of its type, whether it is asked for alone or in a list")
    func absentValues() async throws {
        try await withConnection { connection in
            let (bytes, texts): ([UInt8]?, [String]?) = (nil, nil)
            let row = try #require(
                try connection.row(
                    """
                    SELECT pg_typeof($1)::TEXT AS a, pg_typeof($2)::TEXT AS b, pg_typeof($3)::TEXT AS c,
                        pg_typeof($4)::TEXT AS d, pg_typeof($5)::TEXT AS e, $5 IS NULL AS is_absent
                    """,
                    [Int?.none, Double?.none, Bool?.none, bytes, texts]
                )
            )
            let types = try ["a", "b", "c", "d", "e"].map { try row.text($0) }
            #expect(types == ["bigint", "double precision", "boolean", "bytea", "text[]"])
            #expect(try row.flag("is_absent"))
            let rows = try connection.rows(
                "SELECT n IS NULL AS is_absent FROM unnest($1::DOUBLE PRECISION[]) AS n",
                [[0.5, nil, -0.5] as [Double?]]
            )
            #expect(try rows.map { try $0.flag("is_absent") } == [false, true, false])
        }
    }

    @Test("Waits that options ask for are those of the server, as far as it can wait")
    func timeouts() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            options.statementTimeout = .seconds(1_000_000_000)
            options.lockTimeout = .milliseconds(1_500)
            let store = try await PostgresCardStore.open(url: url, options: options)
            let sql = "SELECT current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock"
            let row = try await store.read { try $0.row(sql) }
            #expect(try row?.text("work") == "1d")
            #expect(try row?.text("lock") == "1500ms")
            try await store.close()
        }
    }
}

@Suite("PostgreSQL: what is sent to it")
struct SentValueTests {
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stored: [UInt8] = []
        bytes.withUnsafeBufferPointer { EscapedText.append($0, to: &stored) }
        return stored
    }

    private func restored(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { EscapedText.restore($0) } }

    /// All texts of at most three of the bytes that matter.
    private static let texts: [[UInt8]] = {
        let bytes: [UInt8] = [0, 1, 2, UInt8(ascii: "0"), UInt8(ascii: "1"), 0xF4]
        var (all, longest): ([[UInt8]], [[UInt8]]) = ([[]], [[]])
        for _ in 0..<3 {
            longest = longest.flatMap { text in bytes.map { text + [$0] } }
            all += longest
        }
        return all
    }()

    @Test("Texts are stored without U+0000, come back as they were, and keep their order and their beginnings")
    func escaping() {
        let texts = Self.texts.map { (text: $0, stored: stored($0)) }
        #expect(texts.allSatisfy { !$0.stored.contains(0) })
        #expect(texts.allSatisfy { restored($0.stored) == $0.text })
        var wrong: [[[UInt8]]] = []
        for (one, storedOne) in texts {
            for (other, storedOther) in texts {
                let isBefore = one.lexicographicallyPrecedes(other)
                let isBeginning = other.starts(with: one)
                if storedOne.lexicographicallyPrecedes(storedOther) != isBefore
                    || storedOther.starts(with: storedOne) != isBeginning
                {
                    wrong.append([one, other])
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("Texts that something else has written are read as far as they can be")
    func foreignTexts() {
        #expect(restored([]) == [])
        #expect(restored([97, 1]) == [97])
        #expect(restored([1, 0x30, 98]) == [0, 98])
        #expect(restored([1, 1, 0x30]) == [1, 0x30])
        #expect(restored([1, 0xFF, 1, 0xFE]) == [1, 0])
        let text = ([1, 0x30, 0xC3, 97] as [UInt8]).withUnsafeBytes { EscapedText.string($0) }
        #expect(text == "\u{0}\u{FFFD}a")
    }

    @Test("A list says how long it is, whether something in it is absent, and how long each of it is")
    func lists() {
        func bytes(_ value: any PostgresEncodable) -> [UInt8] { Array(PostgresParameters([value]).bytes.dropFirst()) }
        let head: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 25, 0, 0, 0, 2, 0, 0, 0, 1]
        #expect(bytes(["\u{0}", nil] as [String?]) == head + [0, 0, 0, 2, 1, 0x30, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(bytes([] as [String]) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25])
        #expect(bytes([7, 8] as [UInt8]) == [7, 8])
        #expect(bytes([] as [UInt8]) == [])
        #expect(bytes([true, false]).suffix(10) == [0, 0, 0, 1, 1, 0, 0, 0, 1, 0])
    }

    @Test("Parameters have places of their own, also where values are empty or absent")
    func places() {
        let parameters = PostgresParameters(["", String?.none, "ab", [UInt8](), 1])
        #expect(parameters.offsets == [1, -1, 1, 3, 3])
        #expect(parameters.lengths == [0, 0, 2, 0, 8])
        #expect(parameters.types == [25, 25, 25, 17, 20])
    }

    @Test("What a session is set to leaves out what the address sets, and a transaction leaves out nothing")
    func sessionSettings() {
        var settings = ConnectionSettings(url: "service=cards")
        (settings.statementTimeout, settings.lockTimeout) = (7, 8)
        let idle = "idle_in_transaction_session_timeout = 60000"
        #expect(
            settings.sessionSettings(besides: "") == "SET statement_timeout = 7; SET lock_timeout = 8; SET \(idle)"
        )
        #expect(settings.sessionSettings(besides: "-c lock_timeout=1 -c statement_timeout=2s") == "SET \(idle)")
        #expect(settings.transactionStatements.count == 3)
        #expect(settings.transactionStatements.joined(separator: "; ") == settings.transactionSettings)
        // What comes later wins: the address over what is usual, and the encoding over the address.
        #expect(settings.parameters.suffix(2).map(\.keyword) == ["dbname", "client_encoding"])
        #expect(settings.parameters.suffix(2).map(\.value) == ["service=cards", "UTF8"])
    }
}
