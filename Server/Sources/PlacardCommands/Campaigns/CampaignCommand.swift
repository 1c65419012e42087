import ArgumentParser

/// The command `placard campaign`.
struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Creates, edits and launches campaigns on a server.",
        discussion: """
            export PLACARD_SERVER=http://127.0.0.1:8080 PLACARD_KEY=sk_…
            placard campaign apply spring.yaml --launch
            placard campaign stop spring --withdraw
            """,
        subcommands: [
            CampaignApply.self, CampaignList.self, CampaignShow.self, CampaignCheckCommand.self, CampaignLaunch.self,
            CampaignRequestApproval.self, CampaignPause.self, CampaignStop.self, CampaignArchive.self,
            CampaignRestore.self, CampaignHistory.self,
        ]
    )
}
