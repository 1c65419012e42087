import CardModel

extension PageDescriptor {
    static let report = PageDescriptor(
        templates: [
            "report": PackageResources.report_mustache,
            "report-days": PackageResources.report_days_mustache,
            "report-numbers": PackageResources.report_numbers_mustache,
            "report-withheld": PackageResources.report_withheld_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/campaigns/:id", .viewer, ReportPage.show)
        routes.get("/dashboard/campaigns/:id/export", .viewer, ReportPage.export)
    }
}
