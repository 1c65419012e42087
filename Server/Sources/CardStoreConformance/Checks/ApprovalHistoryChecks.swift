import CardModel
import CardStore
import Testing

/// Checks of what is said about requests for approval, and how long they are kept.
enum ApprovalHistoryChecks: ApprovalChecking {
    static let checks: [ConformanceCheck] = [comments, commentLimit, history, told]

    static let comments = ConformanceCheck(
        "Comments are kept in order, with any text"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            let texts = ["“Why?”\nSecond line", "'; DROP TABLE approvals; --", "{{7*7}} <b> \\ \u{1F600}"]
            for (number, text) in texts.enumerated() {
                let now = noon + Double(number)
                let next = try await store.addApprovalComment(text, to: "apr_1", at: now, by: admin)
                #expect(next.comments.last == Approval.Comment(author: admin.name, at: now, text: text))
            }
            #expect(try await store.approval("apr_1")?.comments.map(\.text) == ["Please"] + texts)
            await expectFailure(.notFound) {
                try await store.addApprovalComment("x", to: "apr_9", at: noon, by: admin)
            }
        }
    }

    static let commentLimit = ConformanceCheck(
        "A request has a hundred comments at most, and can be decided with one more"
    ) { stores in
        try await withTeam(stores) { store in
            try await store.insertApproval(request(), by: editor)
            for _ in 1..<Approval.Comment.limit {
                _ = try await store.addApprovalComment("x", to: "apr_1", at: noon, by: editor)
            }
            await expectFailure(.limitReached) {
                try await store.addApprovalComment("x", to: "apr_1", at: noon, by: editor)
            }
            let end = try await store.closeApproval("apr_1", as: .reject, comment: "No", at: noon + 1, by: admin)
            #expect(end.comments.count == Approval.Comment.limit + 1)
        }
    }

    static let history = ConformanceCheck(
        "The last fifty requests of a campaign are kept, the newest first"
    ) { stores in
        try await withTeam(stores) { store in
            for number in 1...Approval.kept + 3 {
                let time = noon + Double(number)
                try await store.insertApproval(request("apr_\(number)", at: time), by: editor)
            }
            let kept = try await store.approvals(of: sale, limit: 100)
            #expect(kept.count == Approval.kept)
            #expect(kept.first?.id == "apr_53")
            #expect(kept.last?.id == "apr_4")
            #expect(kept.filter { $0.status == .pending }.count == 1)
            #expect(try await store.approvals(of: sale, limit: 2).map(\.id) == ["apr_53", "apr_52"])
            #expect(try await store.approvals(of: sale, limit: 2, offset: 3).map(\.id) == ["apr_50", "apr_49"])
            #expect(try await store.approvals(of: sale, limit: 2, offset: 50).isEmpty)
            #expect(try await store.approvals(of: CampaignID(rawValue: "none"), limit: 2).isEmpty)
        }
    }

    static let told = ConformanceCheck(
        "The audit log and the webhook are told who asked, who decided, and what they said"
    ) { stores in
        try await withTeam(stores) { store in
            let hook = Webhook(url: "https://example.com", secret: "whsec_1234567890", createdAt: noon)
            try await store.saveWebhook(hook, after: nil, at: noon, by: command)
            try await store.insertApproval(request(), by: editor)
            _ = try await store.addApprovalComment("Hm", to: "apr_1", at: noon + 1, by: admin)
            _ = try await store.closeApproval("apr_1", as: .reject, comment: "No", at: noon + 2, by: admin)
            try await store.insertApproval(request("apr_2", at: noon + 3), by: editor)
            _ = try await store.closeApproval("apr_2", as: .withdraw, comment: nil, at: noon + 4, by: editor)
            try await store.insertApproval(request("apr_3", at: noon + 5), by: editor)
            _ = try await store.approve("apr_3", saving: launched(store), comment: nil, at: noon + 6, by: admin)

            let notices = try await store.webhookNotices(limit: 10)
            #expect(
                notices.map(\.kind) == [
                    .approvalRequested, .approvalRejected, .approvalRequested, .approvalWithdrawn, .approvalRequested,
                    .approvalApproved,
                ]
            )
            #expect(notices.allSatisfy { $0.subject == .campaign(sale) })
            #expect(
                notices.dropFirst().first?.details == [
                    "approval_id": "apr_1", "change": "launch", "version": 1, "requested_by": "emil@example.com",
                    "campaign_name": "Sale", "requested_by_kind": "member", "decided_by": "anna@example.com",
                    "comment": "No",
                ]
            )
            let audit = try await store.latestAuditEntries(limit: 8).reversed()
            #expect(
                audit.map(\.action) == [
                    "approval.request", "approval.comment", "approval.reject", "approval.request", "approval.withdraw",
                    "approval.request", "campaign.launch", "approval.approve",
                ]
            )
            #expect(audit.allSatisfy { $0.subject == "sale" })
            #expect(try await store.verifyAudit().problems.isEmpty)
        }
    }
}
