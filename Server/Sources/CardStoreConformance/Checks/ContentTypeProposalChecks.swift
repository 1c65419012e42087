import CardModel
import CardStore
import Testing
import WireJSON

/// Checks of content type proposals.
enum ContentTypeProposalChecks {
    static let checks: [ConformanceCheck] = [
        accepting, dismissing, deleting, bound,
    ]

    private static func proposal(
        _ id: String,
        version: String,
        field: String,
        at time: Double = noon
    ) -> ContentTypeProposal {
        let schema: JSONValue = ["class_type": "coupon", "fields": [["name": .string(field), "type": "string"]]]
        return ContentTypeProposal(
            id: id,
            keyID: "key_a",
            appVersion: version,
            types: [ContentType(classType: "coupon", schema: schema, updatedAt: time)],
            updatedAt: time
        )
    }

    static let accepting = ConformanceCheck(
        "A proposal is accepted by its content, and changes nothing before"
    ) { stores in
        try await stores.withStore { store in
            try await store.proposeContentTypes(proposal("one", version: "1", field: "a"))
            #expect(try await store.contentTypes().isEmpty)
            try await store.proposeContentTypes(proposal("two", version: "1", field: "b", at: noon + 1))
            #expect(try await store.contentTypeProposals() == [proposal("two", version: "1", field: "b", at: noon + 1)])
            #expect(try await !store.acceptContentTypes("one", at: noon + 2, by: command))
            #expect(try await store.acceptContentTypes("two", at: noon + 2, by: command))
            let accepted = try await store.contentTypes()
            #expect(accepted.map(\.schema) == proposal("two", version: "1", field: "b").types.map(\.schema))
            #expect(accepted.map(\.updatedAt) == [noon + 2])
            #expect(try await store.contentTypeProposals().isEmpty)
            let entry = try #require(try await store.latestAuditEntries(limit: 1).first)
            #expect(entry.action == "content_types.accept" && entry.subject == "coupon")

            try await store.proposeContentTypes(proposal("two", version: "1", field: "b", at: noon + 3))
            try await store.proposeContentTypes(proposal("three", version: "2", field: "b", at: noon + 3))
            #expect(try await store.contentTypeProposals().isEmpty)
        }
    }

    static let dismissing = ConformanceCheck(
        "What was dismissed stays away until it is something else"
    ) { stores in
        try await stores.withStore { store in
            try await store.proposeContentTypes(proposal("one", version: "1", field: "a"))
            #expect(try await store.dismissContentTypes("one", at: noon, by: command))
            try await store.proposeContentTypes(proposal("one", version: "1", field: "a", at: noon + 1))
            #expect(try await store.contentTypeProposals().isEmpty)
            #expect(try await !store.acceptContentTypes("one", at: noon, by: command))
            #expect(try await !store.dismissContentTypes("one", at: noon, by: command))
            try await store.proposeContentTypes(proposal("two", version: "1", field: "b", at: noon + 2))
            #expect(try await store.contentTypeProposals().map(\.id) == ["two"])
        }
    }

    static let deleting = ConformanceCheck(
        "A content type is deleted by the bytes of its name, and can be proposed again"
    ) { stores in
        try await stores.withStore { store in
            try await store.proposeContentTypes(proposal("one", version: "1", field: "a"))
            #expect(try await store.acceptContentTypes("one", at: noon, by: command))
            for name in ["Coupon", "coupon ", ""] {
                #expect(try await !store.deleteContentType(name, at: noon, by: command))
            }
            let entries = try await store.latestAuditEntries(limit: 10).count
            #expect(try await store.deleteContentType("coupon", at: noon + 1, by: command))
            #expect(try await store.contentTypes().isEmpty)
            #expect(try await !store.deleteContentType("coupon", at: noon + 1, by: command))
            let after = try await store.latestAuditEntries(limit: 10)
            #expect(after.count == entries + 1)
            #expect(after.first?.action == "content_types.delete" && after.first?.subject == "coupon")
            try await store.proposeContentTypes(proposal("one", version: "1", field: "a", at: noon + 2))
            #expect(try await store.contentTypeProposals().map(\.id) == ["one"])
        }
    }

    static let bound = ConformanceCheck(
        "However many versions an app invents, only the newest are kept"
    ) { stores in
        try await stores.withStore { store in
            for number in 0..<60 {
                try await store.proposeContentTypes(
                    proposal("id\(number)", version: "\(number)", field: "f\(number)", at: noon + Double(number))
                )
            }
            let kept = try await store.contentTypeProposals()
            #expect(kept.map(\.appVersion) == (0..<ContentTypeProposal.limit).map { "\(59 - $0)" })
        }
    }
}
