import CardModel
import CardStore
import CardStoreConformance
import Testing
import WireJSON

@Suite("Rows: what they are read as")
struct RowDecodingTests {
    @Test("A row can be read as it is written, and not without one of the columns that always have a value")
    func required() throws {
        for sample in RowCase.all {
            _ = try sample.read(sample.row)
            let missed = sample.row.required(sample.read)
            #expect(missed == Set(sample.row.values.keys).subtracting(sample.optional), "\(sample.testDescription)")
        }
    }

    @Test("A row of an older version, without a column, is no row in which that is NULL", arguments: RowCase.all)
    func missingColumns(sample: RowCase) {
        for column in sample.row.values.keys {
            #expect(!SampleRow.isRead(sample.row.without(column), sample.read), "\(column)")
        }
    }

    @Test("Whatever another program wrote into a column ends nothing, and reads the same twice", arguments: RowCase.all)
    func hostile(sample: RowCase) {
        for column in sample.row.values.keys {
            for value in SampleRow.hostileValues {
                let row = sample.row.with(column, value)
                #expect(SampleRow.isRead(row, sample.read) == SampleRow.isRead(row, sample.read), "\(column)")
            }
        }
    }

    // MARK: Keys

    private var key: SampleRow { RowCase.people[0].row }

    @Test("A permission that a newer version named gives nothing, and takes none of the others")
    func permissions() throws {
        let cases: [(text: String, permissions: Set<Permission>)] = [
            ("", []), ("read", [.read]), ("read,future,users", [.read, .users]), (",,read,", [.read]),
            ("Read", []), ("read ,users", [.users]), ("read;users", []), ("re\u{301}ad", []),
        ]
        for (text, permissions) in cases {
            #expect(try APIKey(key.with("permissions", .string(text))).permissions == permissions, "\(text)")
        }
    }

    @Test(
        "A key whose addresses can't all be read isn't read, so that none is open to every address",
        arguments: ["10.0.0.0/8,nonsense", "nonsense", "10.0.0.0/33", "10.0.0.0/8, ", "*", "\u{0}", "10.0.0.0,\u{301}"]
    )
    func addresses(text: String) {
        #expect(throws: StoreError.self) { try APIKey(key.with("allowed_addresses", .string(text))) }
    }

    @Test("A former secret of a key works only where it is known until when")
    func formerSecrets() throws {
        #expect(try APIKey(key).previousSecret == APIKey.PreviousSecret(hash: [3], expiresAt: noon))
        #expect(try APIKey(key.with("previous_expires_at", .null)).previousSecret == nil)
        #expect(try APIKey(key.with("previous_hash", .null)).previousSecret == nil)
    }

    @Test("What a key writes into its columns is what is read from them")
    func keyColumns() throws {
        let read = try APIKey(key)
        #expect(read.storedPermissions == "read,users")
        #expect(try APIKey(key.with("allowed_addresses", .string(read.storedAddresses))) == read)
    }

    // MARK: Requests for approval

    private var approval: SampleRow { RowCase.campaigns[6].row }

    @Test(
        "A request whose content was damaged is never one for a launch",
        arguments: ["", "null", "{", "{}", "[]", "launch", #"{"name":7}"#]
    )
    func damagedEdit(content: String) {
        #expect(throws: StoreError.self) { try Approval(approval.with("content", .string(content))) }
    }

    @Test("A request says who asked as the row does, and leaves out comments that can't be read")
    func comments() throws {
        let good: JSONValue = ["author": "ann", "at": 1, "text": "Why?"]
        let list = JSONValue.array([good, .null, ["author": "ann"], good]).text
        let read = try Approval(approval.with("comments", .string(list)))
        #expect(read.comments.map(\.text) == ["Why?", "Why?"])
        #expect(read.requester == "ann@example.com" && read.requesterKind == "member" && read.status == .rejected)
        #expect(read.isRequested(by: .member("ann@example.com")) && !read.isRequested(by: .key("ann@example.com")))
        #expect(throws: StoreError.self) { try Approval(approval.with("comments", .string("{}"))) }
        #expect(throws: StoreError.self) { try Approval(approval.with("status", .string("Pending"))) }
    }

    // MARK: Reports

    @Test("What a device didn't name is empty in a key, and nil where it is read")
    func unnamedProblems() throws {
        let row = RowCase.reports[1].row
        let unnamed = try CampaignReport.DecodingErrorCount(
            row.with("class_type", .string("")).with("field", .string(""))
        )
        #expect(unnamed.classType == nil && unnamed.field == nil)
        let named = try CampaignReport.DecodingErrorCount(row.with("field", .string(" ")))
        #expect(named.classType == "ad" && named.field == " ")
    }

    @Test("An amount is read to its last decimal, and not at all where it has more or isn't one")
    func amounts() throws {
        let row = RowCase.reports[3].row
        func amount(_ text: String) throws -> Amount {
            try CampaignReport.AmountRow(row.with("amount", .string(text))).counts.amount
        }
        #expect(try amount("-0.000000001").billionths == -1)
        // 38 digits are kept.
        let most = String(repeating: "9", count: 29) + ".999999999"
        #expect(try amount(most).description == most)
        let tooMuch = "1" + String(repeating: "0", count: 29)
        for text in ["", tooMuch, "1,5", "0.0000000001", "nan", "1.5 ", "\u{661}", "--1"] {
            #expect(throws: StoreError.self, "\(text)") { try amount(text) }
        }
    }

    @Test("Beyond so many reasons, cards that are withheld are counted without one")
    func reasons() {
        let failure = TemplateFailure(.aborted, reason: "no name", message: "")
        let kept = WithheldCount.reason(of: failure, besides: WithheldCount.reasonLimit - 1)
        #expect(kept == failure.countedReason && !kept.isEmpty)
        #expect(WithheldCount.reason(of: failure, besides: WithheldCount.reasonLimit).isEmpty)
    }

    // MARK: Events

    @Test("An event belongs to the user that its own was merged into")
    func owners() throws {
        let row = RowCase.deliveries[0].row
        #expect(try StoredEvent(row).user == someone)
        let merged = row.with("owner", .string("other"))
        #expect(try StoredEvent(merged).user == UserID(rawValue: "other"))
        #expect(try StoredEvent(merged.with("user_id", .null)).user == UserID(rawValue: "other"))
    }

    @Test("Rows of the log are events or positions of what can't be read, and the last of them is where it goes on")
    func eventRows() throws {
        let row = RowCase.deliveries[0].row
        let rows = [
            row.with("position", .integer(3)), row.with("position", .integer(5)).with("id", .bytes([1])),
            row.with("position", .integer(9)).with("details", .string("{")),
        ]
        let read = try EventRows(rows)
        #expect(read.events.map(\.position) == [3] && read.unreadable == [5, 9])
        #expect(read.count == 3 && read.last == 9)
        #expect(try EventRows([SampleRow]()).last == nil)
        // Without a position nobody could go on behind it.
        #expect(throws: StoreError.self) { try EventRows([row.with("position", .null)]) }
    }

    @Test("A notice is about a user or a campaign as its kind says, whatever its subject looks like")
    func subjects() throws {
        let row = RowCase.deliveries[4].row
        #expect(try WebhookNotice(row).subject == .user(someone))
        let approved = row.with("kind", .string("approval.approved")).with("subject", .string("sale"))
        #expect(try WebhookNotice(approved).subject == .campaign(CampaignID(rawValue: "sale")))
        #expect(throws: StoreError.self) { try WebhookNotice(row.with("id", .bytes(Array(repeating: 7, count: 17)))) }
    }

    @Test("A time that a send planned is a moment or a time of local clocks, and is written as it is read")
    func plannedTimes() throws {
        let row = RowCase.deliveries[1].row
        #expect(try Broadcast(row).trigger.due == .local(LocalTime(seconds: noon)))
        let moment = try Broadcast(row.with("due_locally", .integer(0))).trigger.due
        #expect(moment == .at(noon) && moment.columns == (noon, false))
        #expect(PlannedTime(7, isLocal: true).columns == (7, true))
    }

    // MARK: Pictures

    @Test("A picture whose place can't be read isn't taken for one in the store, whose bytes nobody has")
    func places() throws {
        let row = RowCase.people[5].row
        #expect(try MediaItem(row.with("bucket_folder", .null)).location == .store)
        let read = try MediaItem(row)
        #expect(read.bucketFolderText == "Xy7 960:2048 480:700" && read.widthsText == "960 480")
        for text in ["", "Xy7 960", "Xy7 960:0", "X_7 960:1", "Xy7 960:1 960:2", "Xy7 +:1"] {
            #expect(throws: StoreError.self, "\(text)") { try MediaItem(row.with("bucket_folder", .string(text))) }
        }
    }
}
